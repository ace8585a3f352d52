package monitor

import (
	"github.com/prometheus/client_golang/prometheus"

	"quartier/serve/account"
)

// accountsCollector reports how well the server follows the accounts.
type accountsCollector struct{ *account.Live }

var (
	accountsAge   = prometheus.NewDesc("quartier_state_age_seconds", "Time since the copy of the accounts was that of the store.", nil, nil)
	accountsLate  = prometheus.NewDesc("quartier_state_late", "1 while a revocation of more than 5 s ago may not have been seen.", nil, nil)
	accountsStale = prometheus.NewDesc("quartier_state_stale",
		"1 while the copy of the accounts is older than it may be, and nothing is answered.", nil, nil)
	accountsRevision = prometheus.NewDesc("quartier_state_revision", "Number of the last change of accounts and keys that was seen.", nil, nil)
	accountsKnown    = prometheus.NewDesc("quartier_state_accounts", "Accounts that are not revoked.", nil, nil)
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
	send(accountsDamaged, prometheus.GaugeValue, float64(health.Damaged))
	send(accountsFailed, prometheus.CounterValue, float64(health.Failed))
	send(accountsRestored, prometheus.CounterValue, float64(health.Restored))
	send(accountsMissed, prometheus.CounterValue, float64(health.Missed))
}
