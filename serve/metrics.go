package serve

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"quartier/serve/admit"
)

// latencyBuckets are in seconds: most answers take microseconds, the slowest searches milliseconds.
var latencyBuckets = []float64{25e-6, 50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3, 25e-3, 100e-3, 500e-3}

// stats counts the requests of one route of a server. Labels are route patterns and statuses, never values of callers.
type stats struct {
	name    string
	latency prometheus.Observer
	bytes   prometheus.Counter
	ok      prometheus.Counter // status 200, resolved in advance
	others  *prometheus.CounterVec

	cost admit.Cost
}

func (s *stats) observe(status, bytes int, spent time.Duration) {
	s.latency.Observe(spent.Seconds())
	s.bytes.Add(float64(bytes))
	if status == http.StatusOK {
		s.ok.Inc()
		return
	}
	s.others.WithLabelValues(s.name, strconv.Itoa(status)).Inc()
}

// metrics is the registry behind /metrics.
type metrics struct {
	registry *prometheus.Registry
	handler  http.Handler
}

func newMetrics(s *Server) *metrics {
	m := &metrics{registry: prometheus.NewRegistry()}
	latency := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "quartier_request_seconds", Help: "Time from the request's headers to the end of its answer, by route.", Buckets: latencyBuckets,
	}, []string{"route"})
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "quartier_requests_total", Help: "Requests answered, by route and status.",
	}, []string{"route", "status"})
	bytes := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "quartier_response_bytes_total", Help: "Bytes of bodies as sent, by route.",
	}, []string{"route"})
	m.registry.MustRegister(latency, requests, bytes, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), releaseCollector{s}, admissionCollector{s})
	if own, ok := s.limiter.(prometheus.Collector); ok {
		m.registry.MustRegister(own)
	}
	if s.accounts != nil {
		m.registry.MustRegister(accountsCollector{s.accounts})
	}
	all := []*stats{s.table.unknown}
	for _, r := range s.table.all {
		all = append(all, r.stats)
	}
	for _, stats := range all {
		name := stats.name
		stats.latency, stats.bytes = latency.WithLabelValues(name), bytes.WithLabelValues(name)
		stats.ok, stats.others = requests.WithLabelValues(name, "200"), requests
	}
	m.handler = promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
	return m
}

// releaseCollector reports the current release.
type releaseCollector struct{ *Server }

var (
	releaseInfo       = prometheus.NewDesc("quartier_release_info", "The current release.", []string{"release", "digest", "as_of"}, nil)
	releaseGeneration = prometheus.NewDesc("quartier_release_generation",
		"Number of the publication that is served; 0: none, or a release folder by itself.", nil, nil)
	releaseComponent = prometheus.NewDesc("quartier_release_component_info", "A component of the current release.",
		[]string{"component", "digest", "as_of", "status"}, nil)
	releaseVerified = prometheus.NewDesc("quartier_release_verified", "1 if all of the release was read and matches its manifest.", nil, nil)
	releaseRefused  = prometheus.NewDesc("quartier_release_refused",
		"1 while what is at the path is incomplete or invalid, and is not what is served.", nil, nil)
	releasesLoaded   = prometheus.NewDesc("quartier_releases_loaded_total", "Releases loaded since startup.", nil, nil)
	releaseVerifying = prometheus.NewDesc("quartier_release_verifying",
		"1 while nothing is served yet and what is at the path is being verified.", nil, nil)
	releaseScrubbed = prometheus.NewDesc("quartier_release_scrubbed_bytes_total",
		"Bytes of what is served that were read and compared again.", nil, nil)
	releaseScrubs = prometheus.NewDesc("quartier_release_scrubs_total", "Times that all of a release was read and compared again.", nil,
		nil)
	releasesRefused = prometheus.NewDesc("quartier_releases_refused_total",
		"Rejections of releases since startup, each reason once until a release is loaded.", nil, nil)
)

func (c releaseCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{releaseInfo, releaseGeneration, releaseComponent, releaseVerified, releaseRefused,
		releaseVerifying, releaseScrubbed, releaseScrubs, releasesLoaded, releasesRefused} {
		out <- d
	}
}

func (c releaseCollector) Collect(out chan<- prometheus.Metric) {
	status := c.releases.Status()
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	gauge(releaseInfo, 1, status.Release, status.Digest, status.AsOf)
	gauge(releaseGeneration, float64(status.Generation))
	for _, component := range status.Components {
		gauge(releaseComponent, 1, component.Name, component.Digest, component.AsOf, componentStatus(component))
	}
	gauge(releaseVerified, oneIf(status.Verified))
	gauge(releaseRefused, oneIf(status.Refused))
	gauge(releaseVerifying, oneIf(status.Verifying))
	counter := func(d *prometheus.Desc, value int64) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value))
	}
	counter(releaseScrubbed, status.Scrubbed)
	counter(releaseScrubs, status.Scrubs)
	counter(releasesLoaded, status.Loaded)
	counter(releasesRefused, status.Rejected)
}

func oneIf(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}
