package regionfile

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"quartier/ingest"
	"quartier/ingest/publishers"
)

// Change is a newer vintage of a source.
type Change struct {
	Source   string // id
	From, To string // vintages: 2024, 2024-25, 2026-08-19.0

	URL, AsOf, Attribution string // of the newer vintage; Attribution "": as it is
}

// at is a source of a region file with its data set.
type at struct {
	source *ingest.Source
	set    *publishers.Set
	values map[string]string
	newest int // year that the publisher has
}

// yearsAhead is how many years after a vintage are looked at; yearsMissed so many in a row without a file are the end.
const (
	yearsAhead  = 8
	yearsMissed = 2
)

// Bump finds newer vintages of the sources of a region file. What publishers change every day at one address is newer on another
// day than its as_of, if one is given, YYYY-MM-DD. Notes say of which sources it is not known, and why. The error is
// that of ctx.
func Bump(ctx context.Context, region *ingest.Region, day string, look Look) (changes []Change, notes []string, err error) {
	var yearly []*at
	for i := range region.Sources {
		s := &region.Sources[i]
		set, values := publishers.Match(s.URL, s.Kind, s.ID)
		if s.URL == "" || set == nil {
			if s.URL != "" {
				notes = append(notes, s.ID+": not known, since the catalogue has no data set with its address")
			}
			continue
		}
		switch {
		case set.Index == "overture":
			more, why := newRelease(ctx, s, set, values, look)
			changes, notes = append(changes, more...), append(notes, why...)
		case values["year"] != "":
			year, _ := strconv.Atoi(values["year"]) // four digits, by the pattern
			yearly = append(yearly, &at{s, set, values, year})
		case len(set.Vintages) > 0:
			changes = append(changes, newVintage(s, set, values)...)
		case set.AsOf == "{day}" && day > s.AsOf:
			changes = append(changes, Change{Source: s.ID, From: s.AsOf, To: day, URL: s.URL, AsOf: day})
		case set.AsOf == "{day}" && day == "":
			notes = append(notes, s.ID+": published "+set.Cadence+" at one address; give --as-of to take what is there")
		}
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
	}
	more, why, err := newYears(ctx, yearly, look)
	changes = append(changes, more...)
	slices.SortStableFunc(changes, func(a, b Change) int { return cmp.Compare(position(region, a.Source), position(region, b.Source)) })
	return changes, append(notes, why...), err
}

func position(region *ingest.Region, id string) int {
	return slices.IndexFunc(region.Sources, func(s ingest.Source) bool { return s.ID == id })
}

// newVintage is the change to the newest vintage of the catalogue; none where the source has it.
func newVintage(s *ingest.Source, set *publishers.Set, values map[string]string) []Change {
	newest := set.Newest()
	has := slices.IndexFunc(set.Vintages, func(v publishers.Vintage) bool { return v.Name == values["name"] })
	if newest == nil || values["name"] == newest.Name || has >= 0 && set.Vintages[has].AsOf >= newest.AsOf || s.AsOf >= newest.AsOf {
		return nil
	}
	from := values["name"]
	if has >= 0 {
		from = set.Vintages[has].Year
	}
	return []Change{{Source: s.ID, From: from, To: newest.Year, AsOf: newest.AsOf,
		URL: publishers.Expand(set.URL, map[string]string{"name": newest.Name})}}
}

// newYears asks the publishers for the next years. Sources that belong together get the newest year that all have.
func newYears(ctx context.Context, list []*at, look Look) (changes []Change, notes []string, err error) {
	together := map[string]int{}
	for _, a := range list {
		from := a.newest
		missed := 0
		for year := from + 1; year <= from+yearsAhead && missed < yearsMissed; year++ {
			there, _, err := look.Has(ctx, a.url(year))
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			if err != nil {
				notes = append(notes, fmt.Sprintf("%s: whether there is a vintage after %d is not known: %v", a.source.ID, a.newest, err))
				break
			}
			if missed++; there {
				a.newest, missed = year, 0
			}
		}
		if group := a.set.Together; group != "" && (together[group] == 0 || a.newest < together[group]) {
			together[group] = a.newest
		}
	}
	for _, a := range list {
		was, year := a.values["year"], a.newest
		if group := a.set.Together; group != "" && year > together[group] {
			notes = append(notes, fmt.Sprintf("%s: %d is there, and others that are of one vintage with it lack it", a.source.ID, year))
			year = together[group]
		}
		if now := strconv.Itoa(year); now > was {
			changes = append(changes, a.change(year))
		}
	}
	return changes, notes, nil
}

// url is the address of a year.
func (a *at) url(year int) string { return publishers.Expand(a.set.URL, a.with(year)) }

func (a *at) with(year int) map[string]string {
	values := map[string]string{}
	for name, value := range a.values {
		values[name] = value
	}
	values["year"] = strconv.Itoa(year)
	return values
}

func (a *at) change(year int) Change {
	values := a.with(year)
	c := Change{Source: a.source.ID, From: a.values["year"], To: values["year"], URL: a.url(year), AsOf: publishers.Expand(a.set.AsOf, values)}
	if text := a.set.AttributionText(); text != publishers.Expand(text, values) {
		c.Attribution = publishers.Expand(text, values)
	}
	return c
}

// newRelease is the change to the newest release of Overture, of which older ones are removed.
func newRelease(ctx context.Context, s *ingest.Source, set *publishers.Set, values map[string]string, look Look) ([]Change, []string) {
	latest, err := latestRelease(ctx, look)
	if err != nil {
		return nil, []string{s.ID + ": whether there is a newer release is not known"}
	}
	before := values["release"]
	if latest <= before && before != "latest" {
		return nil, nil
	}
	values["release"], values["release_day"] = latest, firstOf(latest, 10)
	url, day := publishers.Expand(set.URL, values), publishers.Expand(set.AsOf, values)
	return []Change{{Source: s.ID, From: before, To: latest, URL: url, AsOf: day}}, nil
}
