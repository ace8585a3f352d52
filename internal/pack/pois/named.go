package pois

import (
	"cmp"
	"math"
	"slices"

	"quartier/internal/pack"
	"quartier/internal/pack/names"
	"quartier/internal/pack/strips"
)

// NameQuery is a search of POIs by name.
type NameQuery struct {
	Name     string
	Lng, Lat float64  // the nearest of equal matches to here are first
	ReachM   float64  // how far POIs are looked for before others are; 0: no difference
	Regions  []string // as in Filter
	Limit    int      // maximum number of hits
	Stop     func() bool
}

// NameHit is a POI whose name matches.
type NameHit struct {
	Index  uint32
	Match  names.Match // of its name; Match.Index has no meaning for callers
	Metres float64     // from the point of the query, approximate
}

// NameResult is the result of a SearchNames. It may be reused.
type NameResult struct {
	Hits []NameHit // best first

	regions strips.Regions
	matches names.Result
}

// loadNames opens the index of names, which tables of programs before it do not have.
func (t *Table) loadNames(f *pack.File, l *pack.Loader) error {
	if !l.Has("name.entry") || l.Err() != nil {
		return l.Err()
	}
	var err error
	if t.names, err = names.Open(f); err == nil {
		t.named = pack.LoadLists[uint32](l, "poi.named", t.names.Len())
	}
	return cmp.Or(err, l.Err())
}

// HasNames reports whether the table can be searched by name.
func (t *Table) HasNames() bool { return t.names != nil }

// Position is where a POI is, in degrees.
func (t *Table) Position(poi uint32) (lng, lat float64) { return t.index.Points[poi].Degrees() }

// SearchNames finds POIs by name and fills r: names as package names ranks them; of equal ones the nearest POIs. Names that many
// POIs have are looked at before others, and those within reach before those beyond.
func (t *Table) SearchNames(q *NameQuery, r *NameResult) {
	r.Hits = r.Hits[:0]
	if t.names == nil || q.Limit < 1 || !r.regions.Resolve(t.regionCode, q.Regions) {
		return
	}
	narrow := math.Cos(q.Lat * math.Pi / 180)
	metres := func(poi uint32) float64 {
		lng, lat := t.Position(poi)
		east := math.Remainder(lng-q.Lng, 360) * narrow
		return math.Hypot(east, lat-q.Lat) * metresADegree
	}
	seen := func(poi uint32, reach float64) bool {
		return int(poi) < t.Len() && r.regions.Allow(t.regions[poi]) && metres(poi) <= reach
	}
	reaches := []float64{q.ReachM, math.Inf(1)}
	if q.ReachM <= 0 {
		reaches = reaches[1:]
	}
	for _, reach := range reaches {
		t.names.Search(&names.Query{Name: q.Name, Limit: q.Limit, Stop: q.Stop, Admit: func(name int) bool {
			return name < t.named.Len() && slices.ContainsFunc(t.named.At(name), func(poi uint32) bool { return seen(poi, reach) })
		}}, &r.matches)
		for _, match := range r.matches.Matches {
			begin := len(r.Hits)
			for _, poi := range t.named.At(match.Index) {
				if !seen(poi, reach) {
					continue
				}
				if r.Hits = append(r.Hits, NameHit{poi, match, metres(poi)}); len(r.Hits)-begin >= atOnce {
					r.cut(begin, q.Limit)
				}
			}
		}
		r.cut(0, q.Limit)
	}
}

// atOnce is how many POIs of a name are compared at once.
const atOnce = 512

// cut leaves the best of the hits from begin on, so many of them, in order and each once.
func (r *NameResult) cut(begin, limit int) {
	hits := r.Hits[begin:]
	slices.SortFunc(hits, func(a, b NameHit) int {
		return cmp.Or(a.Match.Compare(&b.Match), cmp.Compare(a.Metres, b.Metres), cmp.Compare(a.Index, b.Index))
	})
	hits = slices.CompactFunc(hits, func(a, b NameHit) bool { return a.Index == b.Index })
	r.Hits = r.Hits[:begin+min(len(hits), limit)]
}

const metresADegree = 111_195
