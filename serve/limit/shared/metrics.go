package shared

import "github.com/prometheus/client_golang/prometheus"

// metrics are those of a Limiter.
type metrics struct {
	granted, denied, failed, local prometheus.Counter
	all                            []prometheus.Collector
}

func (m *metrics) init(l *Limiter) {
	calls := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "quartier_limits_calls_total", Help: "Calls of the store of shared limits, by result.",
	}, []string{"result"})
	m.granted, m.denied, m.failed = calls.WithLabelValues("granted"), calls.WithLabelValues("denied"), calls.WithLabelValues("failed")
	m.local = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "quartier_limits_local_total", Help: "Decisions by this server's share of a rate, as the store did not answer.",
	})
	shared := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "quartier_limits_shared", Help: "1 while limits are shared with other servers, 0 while each server allows its share of a rate.",
	}, func() float64 {
		if l.away.Load() {
			return 0
		}
		return 1
	})
	servers := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "quartier_limits_servers",
		Help: "Servers that share the limits, as counted last, by which rates are divided while the store is away.",
	}, func() float64 { return float64(l.servers.Load()) })
	m.all = []prometheus.Collector{calls, m.local, shared, servers}
}

// Describe implements prometheus.Collector.
func (l *Limiter) Describe(out chan<- *prometheus.Desc) {
	for _, c := range l.metrics.all {
		c.Describe(out)
	}
}

// Collect implements prometheus.Collector.
func (l *Limiter) Collect(out chan<- prometheus.Metric) {
	for _, c := range l.metrics.all {
		c.Collect(out)
	}
}
