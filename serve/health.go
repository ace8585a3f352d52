package serve

import "net/http"

// Health is the body of /healthz.
type Health struct {
	Status string `json:"status"` // "ok"
}

// Readiness is the body of /readyz.
type Readiness struct {
	Status   string `json:"status"`            // "ready", "draining", "no release" or "damaged release"
	Release  string `json:"release,omitempty"` // name of the release that is served
	Digest   string `json:"digest,omitempty"`  // of its content
	AsOf     string `json:"as_of,omitempty"`   // YYYY-MM-DD
	Verified bool   `json:"verified"`          // it was read in full and agrees with its manifest
}

var healthz = &route{
	method:  http.MethodGet,
	path:    "/healthz",
	summary: "Whether the process is alive",
	answer:  Health{},
	serve:   func(x *exchange) error { return x.writeValue(http.StatusOK, Health{"ok"}) },
}

var readyz = &route{
	method:  http.MethodGet,
	path:    "/readyz",
	summary: "Whether requests should be sent here",
	answer:  Readiness{},
	serve:   answerReadyz,
}

func answerReadyz(x *exchange) error {
	status := x.server.releases.Status()
	body := Readiness{"ready", status.Release, status.Digest, status.AsOf, status.Verified}
	code := http.StatusServiceUnavailable
	switch {
	case status.Damaged != "":
		body.Status, body.Digest = "damaged release", status.Damaged
	case status.Digest == "":
		body.Status = "no release"
	case x.server.draining.Load():
		body.Status = "draining"
	default:
		code = http.StatusOK
	}
	return x.writeValue(code, body)
}

var metricsPage = &route{
	method:  http.MethodGet,
	path:    "/metrics",
	summary: "Metrics in the format of Prometheus",
	serve: func(x *exchange) error {
		x.server.metrics.handler.ServeHTTP(x.w, x.r)
		return nil
	},
}

var openAPI = &route{
	method:  http.MethodGet,
	path:    "/openapi.json",
	summary: "This document",
	serve: func(x *exchange) error {
		header := x.w.Header()
		header["Content-Type"] = jsonType
		header["Cache-Control"] = []string{"public, max-age=300"}
		x.write(http.StatusOK, x.server.openAPI)
		return nil
	},
}

// writeValue answers with the JSON of a value that is not to be kept.
func (x *exchange) writeValue(status int, value any) error {
	body, err := encode(value)
	if err != nil {
		return err
	}
	header := x.w.Header()
	header["Content-Type"] = jsonType
	header["Cache-Control"] = noStore
	x.write(status, body)
	return nil
}
