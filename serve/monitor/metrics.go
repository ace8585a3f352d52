// Package monitor is what operators see of a server: metrics, readiness, and a record of each request.
//
// In: the releases and accounts of the server, the routes by name, and exchanges that have ended. Out: the handler of /metrics, the
// bodies of /healthz and /readyz, and lines of JSON. No metric has a value of callers, and no line a secret or a place.
package monitor

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"quartier/serve/account"
	"quartier/serve/admit"
	"quartier/serve/mirror"
	"quartier/serve/release"
)

// latencyBuckets are in seconds: most answers take microseconds, the slowest searches milliseconds.
var latencyBuckets = []float64{25e-6, 50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3, 25e-3, 100e-3, 500e-3}

// Route counts the requests of one route of a server. Labels are route patterns and statuses, never values of callers.
type Route struct {
	Name string
	Cost admit.Cost // of a request, by which the door admits the next

	latency prometheus.Observer
	bytes   prometheus.Counter
	ok      prometheus.Counter // status 200, resolved in advance
	others  *prometheus.CounterVec
}

// Observe counts a request with the status, the bytes of the body and the time that the answer had.
func (r *Route) Observe(status, bytes int, spent time.Duration) {
	r.latency.Observe(spent.Seconds())
	r.bytes.Add(float64(bytes))
	if status == http.StatusOK {
		r.ok.Inc()
		return
	}
	r.others.WithLabelValues(r.Name, strconv.Itoa(status)).Inc()
}

// Metrics is the handler of /metrics: of the process, of the releases and the accounts, nil for none, of the routes, which count from
// then on, and of others.
func Metrics(releases *release.Holder, accounts *account.Live, routes []*Route, others []prometheus.Collector) http.Handler {
	registry := prometheus.NewRegistry()
	latency := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "quartier_request_seconds", Help: "Time from the request's headers to the end of its answer, by route.", Buckets: latencyBuckets,
	}, []string{"route"})
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "quartier_requests_total", Help: "Requests answered, by route and status.",
	}, []string{"route", "status"})
	bytes := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "quartier_response_bytes_total", Help: "Bytes of bodies as sent, by route.",
	}, []string{"route"})
	registry.MustRegister(latency, requests, bytes, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), releaseCollector{releases})
	registry.MustRegister(others...)
	if accounts != nil {
		registry.MustRegister(accountsCollector{accounts})
	}
	for _, r := range routes {
		r.latency, r.bytes = latency.WithLabelValues(r.Name), bytes.WithLabelValues(r.Name)
		r.ok, r.others = requests.WithLabelValues(r.Name, "200"), requests
	}
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
}

// releaseCollector reports the current release.
type releaseCollector struct{ *release.Holder }

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

// Describe sends the metrics.
func (c releaseCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{releaseInfo, releaseGeneration, releaseComponent, releaseVerified, releaseRefused,
		releaseVerifying, releaseScrubbed, releaseScrubs, releasesLoaded, releasesRefused} {
		out <- d
	}
}

// Collect sends the present values.
func (c releaseCollector) Collect(out chan<- prometheus.Metric) {
	status := c.Status()
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

// Store reports how well the server follows a store of releases.
type Store struct{ *mirror.Mirror }

var (
	storeAge    = prometheus.NewDesc("quartier_store_age_seconds", "Time since the store of releases answered, or since the start.", nil, nil)
	storeBehind = prometheus.NewDesc("quartier_store_behind", "1 while another release is published in the store than is served.", nil, nil)
	storeStatus = prometheus.NewDesc("quartier_store_status", "What the server does with the store of releases, or why it does not.",
		[]string{"status"}, nil)
	storeFailed = prometheus.NewDesc("quartier_store_failures_total", "Looks at the store of releases that failed.", nil, nil)
)

// Describe sends the metrics.
func (c Store) Describe(out chan<- *prometheus.Desc) { prometheus.DescribeByCollect(c, out) }

// Collect sends the present values.
func (c Store) Collect(out chan<- prometheus.Metric) {
	status := c.Status()
	out <- prometheus.MustNewConstMetric(storeAge, prometheus.GaugeValue, status.Age.Seconds())
	out <- prometheus.MustNewConstMetric(storeBehind, prometheus.GaugeValue, oneIf(status.Named != status.Served))
	out <- prometheus.MustNewConstMetric(storeStatus, prometheus.GaugeValue, 1, status.State)
	out <- prometheus.MustNewConstMetric(storeFailed, prometheus.CounterValue, float64(status.Failed))
}

// accountsCollector reports how well the server follows the accounts.
type accountsCollector struct{ *account.Live }

var (
	accountsAge   = prometheus.NewDesc("quartier_state_age_seconds", "Time since the copy of the accounts was that of the store.", nil, nil)
	accountsLate  = prometheus.NewDesc("quartier_state_late", "1 while a revocation of more than 5 s ago may not have been seen.", nil, nil)
	accountsStale = prometheus.NewDesc("quartier_state_stale",
		"1 while the copy of the accounts is older than it may be, and nothing is answered.", nil, nil)
	accountsRevision = prometheus.NewDesc("quartier_state_revision", "Number of the last change of accounts and keys that was seen.", nil, nil)
	accountsKnown    = prometheus.NewDesc("quartier_state_accounts", "Accounts that are not revoked.", nil, nil)
	accountsKeys     = prometheus.NewDesc("quartier_state_keys", "Keys of accounts for pages and pictures that can be used.", nil, nil)
	accountsDamaged  = prometheus.NewDesc("quartier_state_damaged_records", "Accounts and keys that cannot be read and are not used.", nil,
		nil)
	accountsFailed   = prometheus.NewDesc("quartier_state_failures_total", "Times that the accounts could not be read.", nil, nil)
	accountsRestored = prometheus.NewDesc("quartier_state_restored_total", "Times that the store had an earlier revision than before.", nil,
		nil)
	accountsMissed = prometheus.NewDesc("quartier_state_lookups_total", "Times that the store was asked for accounts that are not known.",
		nil, nil)
)

// Describe sends the metrics.
func (c accountsCollector) Describe(out chan<- *prometheus.Desc) {
	prometheus.DescribeByCollect(c, out)
}

// Collect sends the present values.
func (c accountsCollector) Collect(out chan<- prometheus.Metric) {
	health := c.Health()
	send := func(d *prometheus.Desc, kind prometheus.ValueType, value float64) {
		out <- prometheus.MustNewConstMetric(d, kind, value)
	}
	send(accountsAge, prometheus.GaugeValue, health.Age.Seconds())
	send(accountsLate, prometheus.GaugeValue, oneIf(health.Late))
	send(accountsStale, prometheus.GaugeValue, oneIf(health.Stale))
	send(accountsRevision, prometheus.GaugeValue, float64(health.Revision))
	send(accountsKnown, prometheus.GaugeValue, float64(health.Accounts))
	send(accountsKeys, prometheus.GaugeValue, float64(health.AccessKeys))
	send(accountsDamaged, prometheus.GaugeValue, float64(health.Damaged))
	send(accountsFailed, prometheus.CounterValue, float64(health.Failed))
	send(accountsRestored, prometheus.CounterValue, float64(health.Restored))
	send(accountsMissed, prometheus.CounterValue, float64(health.Missed))
}
