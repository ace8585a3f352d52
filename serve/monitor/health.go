package monitor

import (
	"math"
	"net/http"
	"time"

	"quartier/serve/account"
	"quartier/serve/mirror"
	"quartier/serve/release"
)

// Health is the body of /healthz.
type Health struct {
	Status string `json:"status" enum:"HealthStatus" doc:"Whether the process is alive."`
}

// Readiness is the body of /readyz. Where operators have an address of their own, callers get the status alone.
type Readiness struct {
	Status   string `json:"status" enum:"ReadinessStatus" doc:"Whether requests should be sent here."`
	Release  string `json:"release,omitempty" doc:"Name of the current release."`
	Digest   string `json:"digest,omitempty" doc:"Digest of the places of the current release, or of the damaged one."`
	AsOf     string `json:"as_of,omitempty" doc:"Latest date of its sources, YYYY-MM-DD."`
	Verified *bool  `json:"verified,omitempty" doc:"Whether all of it was read and matches its manifest."`

	Accounts *ReadyAccounts `json:"accounts,omitempty" doc:"How well the server follows the accounts."`
	Store    *ReadyStore    `json:"store,omitempty" doc:"How well the server follows a store of releases; absent without one."`

	Generation int64            `json:"generation,omitempty" column:"service.generation"`
	Components []ReadyComponent `json:"components,omitempty" doc:"What the current release consists of; absent without one."`
}

// ReadyAccounts describes the server's copy of the accounts.
type ReadyAccounts struct {
	Status string  `json:"status" enum:"AccountsStatus" doc:"Whether changes of accounts are seen."`
	Age    float64 `json:"age_seconds" column:"service.age_seconds"`
}

// ReadyStore describes a store of releases that the server follows.
type ReadyStore struct {
	Status string  `json:"status" enum:"StoreStatus" doc:"Whether what is published in the store is served."`
	Served string  `json:"served,omitempty" doc:"Digest, in the store, of what is served; absent without it."`
	Named  string  `json:"named,omitempty" doc:"Digest of what the store named last; absent before it answered."`
	Age    float64 `json:"age_seconds" column:"service.age_seconds"`
}

// ReadyComponent is a component of the current release.
type ReadyComponent struct {
	Name     string `json:"name" enum:"Component" doc:"Name of the component."`
	Status   string `json:"status" enum:"ComponentStatus" doc:"Whether it is served."`
	Digest   string `json:"digest" doc:"Digest of the component."`
	AsOf     string `json:"as_of,omitempty" doc:"Date of the component, YYYY-MM-DD."`
	Verified bool   `json:"verified" doc:"Whether all of it was read and matches its manifest."`
}

// ReadinessOf is the status and the body of /readyz in detail, of a server with these releases and, unless nil, accounts and store.
func ReadinessOf(releases *release.Holder, live *account.Live, store *mirror.Mirror, draining bool) (int, Readiness) {
	status, accounts := releases.Status(), readyAccounts(live)
	body := Readiness{"ready", status.Release, status.Digest, status.AsOf, &status.Verified, accounts, readyStore(store), status.Generation,
		nil}
	for _, c := range status.Components {
		body.Components = append(body.Components, ReadyComponent{c.Name, componentStatus(c), c.Digest, c.AsOf, c.Verified})
	}
	code := http.StatusServiceUnavailable
	switch {
	case status.Damaged != "":
		body.Status, body.Digest = "damaged release", status.Damaged
	case status.Verifying:
		body.Status = "verifying"
	case status.Digest == "":
		body.Status = "no release"
	case draining:
		body.Status = "draining"
	case accounts != nil && accounts.Status == "stale":
		body.Status = "stale accounts"
	default:
		code = http.StatusOK
	}
	return code, body
}

func readyAccounts(live *account.Live) *ReadyAccounts {
	if live == nil {
		return nil
	}
	health := live.Health()
	status := "followed"
	switch {
	case health.Stale:
		status = "stale"
	case health.Late:
		status = "late"
	}
	return &ReadyAccounts{status, milliseconds(health.Age)}
}

func readyStore(store *mirror.Mirror) *ReadyStore {
	if store == nil {
		return nil
	}
	s := store.Status()
	return &ReadyStore{s.State, s.Served, s.Named, milliseconds(s.Age)}
}

// milliseconds are seconds with three digits after the point.
func milliseconds(d time.Duration) float64 { return math.Round(d.Seconds()*1000) / 1000 }

func componentStatus(c release.ComponentStatus) string {
	if c.Withdrawn {
		return "damaged"
	}
	return "served"
}
