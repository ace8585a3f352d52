package enrich

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quartier/internal/coord"
	"quartier/internal/travel"
	"quartier/schemas"
	"quartier/schemas/column"
	"quartier/schemas/trips"
	reached "quartier/serve/product/travel"
)

// reachGroup is the group of what is reached, which is chosen as reach:transit:45.
const reachGroup = "reach"

// reaching is a mode with limits of minutes, ascending.
type reaching struct {
	mode    travel.Mode
	minutes []int
}

// reaches reads "transit:45", by mode in the order of the choice.
func (c *Choice) reaches() (list []reaching, err error) {
	for _, text := range c.Reach {
		name, number, _ := strings.Cut(text, ":")
		mode, ok := travel.ParseMode(name)
		minutes, err := strconv.Atoi(number)
		if !ok || err != nil || minutes < 1 || minutes > reached.MaxReach {
			return nil, badChoice("reach: %q is not of the form transit:45, with one of %s and 1 to %d minutes", text, listed(travel.Modes),
				reached.MaxReach)
		}
		i := slices.IndexFunc(list, func(r reaching) bool { return r.mode == mode })
		if i < 0 {
			i, list = len(list), append(list, reaching{mode: mode})
		}
		if at, twice := slices.BinarySearch(list[i].minutes, minutes); !twice {
			list[i].minutes = slices.Insert(list[i].minutes, at, minutes)
		}
	}
	if len(list) == 0 {
		return nil, badChoice("reach: it is chosen with a mode and minutes, as reach:transit:45")
	}
	return list, nil
}

// openReach has what is reached from a place within minutes, as GET /v3/reach counts it at its defaults.
func openReach(e *Enricher) (p part, err error) {
	chosen, err := e.choice.reaches()
	if err != nil {
		return p, err
	}
	for _, r := range chosen {
		if w := e.release.Travel; w == nil || !w.Has(r.mode) {
			return p, badChoice("reach: the release has no travel times by %v", r.mode)
		}
		for _, minutes := range r.minutes {
			for _, what := range []string{"people", "households", "jobs", "pois", "coverage"} {
				p.columns = append(p.columns, e.choice.column(fmt.Sprintf("reach_%v_%d_%s", r.mode, minutes, what),
					column.Of("travel.reach_"+what).With("how", waysOf(r.mode, minutes))))
			}
		}
	}
	p.filler = func() filler { return &reachFiller{chosen: chosen} }
	return p, nil
}

// waysOf say how one travels, in texts of columns.
func waysOf(mode travel.Mode, minutes int) schemas.Text {
	means := []schemas.Text{{EN: "on foot", FR: "à pied"}, {EN: "by bicycle", FR: "à vélo"}, {EN: "by car", FR: "en voiture"},
		{EN: "by transit, for half of the departures from 8:00 to 9:00 on a typical Tuesday",
			FR: "en transport en commun, pour la moitié des départs de 8 h à 9 h un mardi typique"}}[mode]
	return schemas.Text{EN: fmt.Sprintf("within %d minutes %s", minutes, means.EN), FR: fmt.Sprintf("en %d minutes %s", minutes, means.FR)}
}

// reachFiller fills what is reached by mode and minutes.
type reachFiller struct {
	chosen  []reaching
	counter reached.Counter
}

func (f *reachFiller) fill(at *place, k int, out []vector) bool {
	from, _ := coord.NewPoint(at.lng, at.lat)
	for _, r := range f.chosen {
		o := travel.Defaults(r.mode)
		o.MaxMinutes = r.minutes[len(r.minutes)-1]
		found, err := f.counter.Reach(context.Background(), &at.release, from, o, r.minutes)
		for i := range r.minutes {
			if err == nil && i < len(found) { // none: no street is near
				fillReach(&found[i], k, out)
			}
			out = out[reachWidth:]
		}
	}
	return true
}

// reachWidth is the number of columns of a limit.
const reachWidth = 5

// fillReach fills the columns of a limit. Where nothing is known of the lines all of them stay NULL.
func fillReach(one *trips.Reach, k int, out []vector) {
	coverage := one.Coverage.Streets
	if transit := one.Coverage.Transit; transit == reached.None {
		return
	} else if transit == reached.Partial {
		coverage = transit
	}
	for i, people := range []*trips.ReachPeople{one.People, one.Households} {
		if people != nil {
			out[i].numbers[k] = int64(people.Value)
		}
	}
	if one.Jobs != nil {
		out[2].numbers[k] = int64(*one.Jobs)
	}
	if one.POIs != nil {
		out[3].numbers[k] = int64(one.POIs.Total)
	}
	out[4].texts[k] = coverage
}
