package entry

import "github.com/prometheus/client_golang/prometheus"

// collector reports what is in use and what was refused.
type collector struct{ *Door }

var (
	inFlight = prometheus.NewDesc("quartier_requests_in_flight", "v3 requests that are admitted: waiting, worked on or sent.", nil, nil)
	inWork   = prometheus.NewDesc("quartier_requests_worked_on", "v3 requests that are worked on.", nil, nil)
	inQueue  = prometheus.NewDesc("quartier_requests_waiting", "v3 requests that wait for a processor.", nil, nil)
	inTurn   = prometheus.NewDesc("quartier_writes_waiting", "Changes of custom geographies that wait for their turn to be written.", nil,
		nil)
	answerBytes = prometheus.NewDesc("quartier_answer_bytes", "Memory of the answers that are made or sent.", nil, nil)
	refused     = prometheus.NewDesc("quartier_refused_total", "Requests refused before an endpoint was asked, by reason.",
		[]string{"reason"}, nil)
	connections = prometheus.NewDesc("quartier_connections", "Open connections.", nil, nil)
	addresses   = prometheus.NewDesc("quartier_connection_addresses", "Addresses with open connections.", nil, nil)
	unfinished  = prometheus.NewDesc("quartier_connections_unfinished",
		"Connections whose headers are longer than a packet and have not arrived as a whole.", nil, nil)
	connsEnded = prometheus.NewDesc("quartier_connections_ended_total", "Connections closed by the server, by reason.",
		[]string{"reason"}, nil)
	collected = []*prometheus.Desc{inFlight, inWork, inQueue, inTurn, answerBytes, refused, connections, addresses, unfinished, connsEnded,
		admittedBy}
)

// Describe sends the metrics.
func (c collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range collected {
		out <- d
	}
}

// Collect sends the present values.
func (c collector) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value int64) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(value))
	}
	count := func(d *prometheus.Desc, reason string, value int64) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value), reason)
	}
	usage := c.gate.Usage()
	gauge(inFlight, int64(usage.Requests))
	gauge(inWork, int64(usage.Running))
	gauge(inQueue, int64(usage.Waiting))
	gauge(inTurn, int64(c.State.Waiting()))
	gauge(answerBytes, usage.Bytes)
	for reason, n := range usage.Refused {
		count(refused, reason, n)
	}
	for i := range refusalReasons {
		count(refused, refusalReasons[i].name, c.refused[i].Load())
	}
	for by, name := range credentials {
		count(admittedBy, name, c.admitted[by].Load())
	}
	if c.Conns == nil {
		return
	}
	conns := c.Conns()
	gauge(connections, int64(conns.Conns))
	gauge(addresses, int64(conns.Addresses))
	gauge(unfinished, int64(conns.Unfinished))
	count(connsEnded, "address", conns.Refused)
	count(connsEnded, "headers", conns.Evicted)
	count(connsEnded, "silent", conns.Silent)
	count(connsEnded, "stalled", conns.Stalled)
}
