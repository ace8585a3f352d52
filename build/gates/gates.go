// Package gates judges how much a release differs from the one before: a release of which half the places are gone is whole,
// verified and wrong. schemas.Gates lists what is measured.
package gates

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"quartier/build/compare"
	"quartier/schemas"
)

// ErrTripped is returned for a release that a gate holds back.
var ErrTripped = errors.New("a gate holds the release back")

// Verdict is what a gate says of a release.
type Verdict struct {
	Gate           string // with its subject
	Measure, Limit float64
	Before, After  string // what was measured, for people
	Detail         string // "": nothing more
	Accepted       string // why it does not hold the release back; "" if nobody accepted it
}

// Tripped reports whether the measure is beyond the limit.
func (v *Verdict) Tripped() bool { return v.Measure > v.Limit }

// Verdicts are in the order of schemas.Gates, then by subject.
type Verdicts []Verdict

// Judge measures every gate. A gate is accepted by its name, or by that of all its subjects.
func Judge(c *compare.Comparison, limits []schemas.GateLimit, accepted []schemas.Acceptance) Verdicts {
	j := judge{limits: limits, accepted: map[string]string{}}
	for _, a := range accepted {
		j.accepted[a.Gate] = a.Reason
	}
	j.ids(c)
	j.coverage(c)
	j.counts(c)
	j.scores(c)
	j.populations(c)
	j.market(c)
	j.sources(c)
	j.texts(&c.Texts)
	j.add("licences", float64(len(c.LicencesLost)), "", "", strings.Join(c.LicencesLost, "; "))
	order := map[string]int{}
	for i, g := range schemas.Gates {
		order[g.ID] = i
	}
	slices.SortStableFunc(j.verdicts, func(a, b Verdict) int { return order[gateID(a.Gate)] - order[gateID(b.Gate)] })
	return j.verdicts
}

func gateID(name string) string {
	id, _, _ := strings.Cut(name, ".")
	return id
}

// judge collects verdicts.
type judge struct {
	limits   []schemas.GateLimit
	accepted map[string]string
	verdicts Verdicts
}

func (j *judge) add(gate string, measure float64, before, after, detail string) {
	why, found := j.accepted[gate]
	if !found {
		why = j.accepted[gateID(gate)]
	}
	j.verdicts = append(j.verdicts, Verdict{gate, measure, schemas.LimitOf(gate, j.limits), before, after, detail, why})
}

// change judges a number of rows before and after: of 200 and 150, a quarter.
func (j *judge) change(gate string, before, after int64, name string) {
	measure := 0.0
	if most := max(before, after); before > 0 && (most-min(before, after) >= schemas.GateLeastRows) {
		measure = float64(most-min(before, after)) / float64(most)
	}
	j.add(gate, measure, count(before), count(after), name)
}

func (j *judge) ids(c *compare.Comparison) {
	type kind struct {
		level schemas.Level // 0 of lost ones
		fate  compare.Fate
	}
	names := map[kind][]string{}
	for _, g := range c.ChangedIDs {
		of := kind{g.Level, g.Fate}
		if g.Fate == compare.Lost {
			of.level = 0
		}
		names[of] = append(names[of], fmt.Sprintf("%s (%s)", g.Name, g.GeogID))
	}
	lost := names[kind{0, compare.Lost}]
	j.add("lost_ids", float64(len(lost)), "", "", some(lost))
	for _, l := range c.Levels {
		if l.Older == 0 {
			continue
		}
		for _, gate := range []struct {
			id    string
			fate  compare.Fate
			all   int64
			least int // that is judged, unless it is all
		}{
			{"retired_ids", compare.Retired, l.Older, 1},
			{"replaced_ids", compare.Replaced, l.Older, schemas.GateLeastRows},
			{"new_ids", compare.New, l.Newer, schemas.GateLeastRows},
			{"coarser_outlines", compare.Coarser, l.Newer, schemas.GateLeastRows},
		} {
			which := names[kind{l.Level, gate.fate}]
			measure := 0.0
			if n := len(which); n > 0 && (n >= gate.least || int64(n) == gate.all) {
				measure = float64(n) / float64(gate.all)
			}
			j.add(fmt.Sprintf("%s.%d", gate.id, l.Level), measure, count(l.Older), count(l.Newer), some(which))
		}
	}
}

// some lists the first of many names.
func some(names []string) string {
	const most = 5
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

func (j *judge) coverage(c *compare.Comparison) {
	for _, p := range c.Coverage {
		if p.Older == 0 {
			continue
		}
		measure := 0.0
		if lost := p.Older - p.Newer; lost >= schemas.GateLeastRows || p.Newer == 0 {
			measure = float64(lost) / float64(p.Older)
		}
		j.add(fmt.Sprintf("coverage.%s.%d", p.Product, p.Level), measure, count(p.Older), count(p.Newer), "")
	}
}

func of(some, all int64) string { return count(some) + " of " + count(all) }

func (j *judge) counts(c *compare.Comparison) {
	for _, p := range c.Categories {
		j.change("category."+p.Category, p.Older(), p.Newer(), "")
	}
	for _, b := range c.Brands {
		j.change("brand."+b.ID, b.Older, b.Newer, b.Name)
	}
	j.change("schools", c.Schools.Older(), c.Schools.Newer(), "")
}

func (j *judge) scores(c *compare.Comparison) {
	for _, s := range c.Scores {
		before, after := &s.Older, &s.Newer
		if min(before.Known, after.Known) < schemas.GateLeastScores {
			continue
		}
		text := func(s *compare.Spread) string { return fmt.Sprintf("median %.2f of %s", s.Median, count(s.Known)) }
		j.add("score_spread."+s.Score, s.Distance, text(before), text(after), "")
		j.add("score_median."+s.Score, math.Abs(after.Median-before.Median), text(before), text(after), "")
	}
}

func (j *judge) populations(c *compare.Comparison) {
	for _, l := range c.Levels {
		if l.OlderPopulation.Float64 > 0 {
			before, after := l.OlderPopulation.Float64, l.NewerPopulation.Float64
			j.add(fmt.Sprintf("population.%d", l.Level), math.Abs(after-before)/max(before, after), count(int64(before)), count(int64(after)), "")
		}
	}
}

func (j *judge) market(c *compare.Comparison) {
	for _, m := range c.MarketMetrics {
		if m.Cells >= schemas.GateLeastRows {
			j.add("market."+m.Metric, math.Abs(m.Shift), "", fmt.Sprintf("%+.1f %%", 100*m.Shift),
				count(m.Cells)+" geographies and types of property")
		}
	}
}

func (j *judge) sources(c *compare.Comparison) {
	for _, s := range c.Sources {
		j.change("rows."+s.Source, s.Older.Taken, s.Newer.Taken, "")
		if s.Older.Read > 0 && s.Newer.Read > 0 {
			share := func(r compare.SourceRows) string { return of(r.Rejected, r.Read) }
			j.add("rejected."+s.Source, max(s.Newer.RejectedShare()-s.Older.RejectedShare(), 0), share(s.Older), share(s.Newer), "")
		}
	}
}

func (j *judge) texts(t *compare.TextChange) {
	measure := 0.0
	if t.Newer.LeftOut-t.Older.LeftOut >= schemas.GateLeastRows {
		measure = max(t.Newer.LeftOutShare()-t.Older.LeftOutShare(), 0)
	}
	share := func(r compare.TextRows) string { return of(r.LeftOut, r.Written+r.LeftOut) }
	j.add("texts", measure, share(t.Older), share(t.Newer), "")
}
