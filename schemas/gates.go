package schemas

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Gate is a measure of how much a release differs from the one before, with the limit up to which it is published. A gate of
// several subjects is written with one: category.cafes.
type Gate struct {
	ID      string
	Limit   float64 // default
	Unit    GateUnit
	Subject string // what follows the point; "": the gate has no subjects
	Measure string // one sentence
}

// GateUnit says how measures and limits are written.
type GateUnit int

// The units of gates.
const (
	GateShare  GateUnit = iota // a share, 0–1, or more for growth relative to what was
	GateCount                  // a number of ids or lines
	GatePoints                 // points of the scale 0–5
)

// Gates are all gates, in the order of reports.
var Gates = []Gate{
	{"lost_ids", 0, GateCount, "",
		"geographies of the older release whose ids the newer one does not answer: it does not continue the older one"},
	{"retired_ids", 0.01, GateShare, "level", "share of a level's geographies that are gone without a successor"},
	{"replaced_ids", 0.05, GateShare, "level", "share of a level's geographies whose ids are replaced by others"},
	{"new_ids", 0.2, GateShare, "level", "share of a level's geographies in the newer release that succeed none of the older one"},
	{"coarser_outlines", 0.05, GateShare, "level",
		"share of a level's geographies whose outline has less than half of the points that it had under the same source key"},
	{"coverage", 0.02, GateShare, "product.level", "how many geographies of a level fewer have the product, as a share of those that had it"},
	{"category", 0.3, GateShare, "category of POIs", "difference of the numbers of POIs, as a share of the larger one"},
	{"brand", 0.5, GateShare, "brand of POIs", "difference of the numbers of POIs, as a share of the larger one"},
	{"schools", 0.1, GateShare, "", "difference of the numbers of schools, as a share of the larger one"},
	{"score_spread", 0.15, GateShare, "score",
		"KS distance: greatest difference of the shares of geographies, current in both releases, with at most some value"},
	{"score_median", 0.25, GatePoints, "score", "difference of the medians over geographies that are current in both releases"},
	{"population", 0.05, GateShare, "level", "difference of the sums of a level's populations, as a share of the larger one"},
	{"market", 0.1, GateShare, "metric",
		"median, over geographies and types of property in the last 90 days, of the difference as a share of the larger value"},
	{"rows", 0.3, GateShare, "region/source", "difference of the numbers of rows taken from a source, as a share of the larger one"},
	{"rejected", 0.02, GateShare, "region/source", "share of a source's rows that were rejected, newer less older"},
	{"texts", 0.01, GateShare, "", "share of texts that were left out because they break a rule of texts, newer less older"},
	{"licences", 0, GateCount, "", "licence and attribution lines of the older release that the newer one does not have"},
}

// Differences of fewer rows or geographies are not judged, unless none are left; nor is the spread of a score that fewer
// geographies have.
const (
	GateLeastRows   = 5
	GateLeastScores = 20
)

// GateLimit is a limit other than the default one.
type GateLimit struct {
	Gate  string  `json:"gate"` // with or without a subject
	Limit float64 `json:"limit"`
}

// GateOf returns the gate of a name, which may have a subject.
func GateOf(name string) (Gate, bool) {
	id, _, subject := strings.Cut(name, ".")
	i := slices.IndexFunc(Gates, func(g Gate) bool { return g.ID == id })
	if i < 0 || subject && Gates[i].Subject == "" {
		return Gate{}, false
	}
	return Gates[i], true
}

// CheckGate returns an error unless there is a gate of that name.
func CheckGate(name string) error {
	if _, known := GateOf(name); known && !strings.HasSuffix(name, ".") {
		return nil
	}
	var all []string
	for _, g := range Gates {
		if g.Subject != "" {
			g.ID += "[." + g.Subject + "]"
		}
		all = append(all, g.ID)
	}
	return fmt.Errorf("unknown gate %q; there are: %s", name, strings.Join(all, ", "))
}

// LimitOf is the limit of a gate: that of its name, of the gate without a subject, or the default one.
func LimitOf(name string, limits []GateLimit) float64 {
	gate, _ := GateOf(name)
	limit := gate.Limit
	for _, l := range limits {
		if l.Gate == name {
			return l.Limit
		}
		if l.Gate == gate.ID {
			limit = l.Limit
		}
	}
	return limit
}

// checkGates returns an error for limits or acceptances that a manifest cannot have.
func checkGates(limits []GateLimit, accepted []Acceptance) error {
	var problems []error
	for i, l := range limits {
		problems = append(problems, CheckGate(l.Gate))
		if !(l.Limit >= 0) || math.IsInf(l.Limit, 0) || i > 0 && limits[i-1].Gate >= l.Gate {
			problems = append(problems, fmt.Errorf("limit %v of gate %s: negative, or not in order", l.Limit, l.Gate))
		}
	}
	for i, a := range accepted {
		problems = append(problems, CheckGate(a.Gate))
		if !plain(a.Reason) || strings.TrimSpace(a.Reason) == "" || i > 0 && accepted[i-1].Gate >= a.Gate {
			problems = append(problems, fmt.Errorf("reason %q for gate %s: empty, not plain text, or not in order", a.Reason, a.Gate))
		}
	}
	return errors.Join(problems...)
}
