package analysis

import (
	"math"
	"slices"
	"sync"

	"quartier/schemas"
)

// MinPeers is with how many others a geography is compared at least: a rank among fewer says little.
const MinPeers = 10

// Context is the figures of a geography beside those of what contains it.
type Context struct {
	GeogID  string               `json:"geog_id"`
	Beside  []Area               `json:"beside"`  // what contains it, the smallest first
	Figures map[string]*InFigure `json:"figures"` // by id; those that any of them has
}

// Area is a geography by its names.
type Area struct {
	GeogID  string       `json:"geog_id"`
	Level   int          `json:"level"`
	Country string       `json:"country"` // CA or US
	Name    schemas.Text `json:"name"`
}

// InFigure is one figure of a Context.
type InFigure struct {
	Own    *Number   `json:"own"`    // null: not known
	Beside []*Number `json:"beside"` // as Context.Beside; null: not known
	Rank   *Rank     `json:"rank"`   // null: there are too few peers, or the value is a bound
}

// Rank is the place of a value among those of its peers: the geographies of its level in its state or, where these are too few, in
// the part of its country that the release has.
type Rank struct {
	Among   string  `json:"among"`   // geog_id of the state, or code of the country: "CA"
	Count   int     `json:"count"`   // of peers with the figure, itself left out
	Percent int     `json:"percent"` // of them that are lower, ties counting half
	Median  float64 `json:"median"`  // of all of them and itself
}

// Peers keeps the sorted figures of groups of geographies, for one release, its market and account. The zero value is ready.
type Peers struct {
	mu     sync.Mutex
	groups map[group][][]float64 // by figure
}

// group is the geographies of a level in a country or, unless state is "", in one of its states ("US_DE").
type group struct {
	level          schemas.Level
	country, state string
}

// of returns the values of each figure in a group, in ascending order.
func (p *Peers) of(r *Reader, g group) [][]float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if all, ok := p.groups[g]; ok {
		return all
	}
	all, table := make([][]float64, len(Figures)), r.Release.Geographies
	for _, i := range r.ofLevel(g.level, func(i int) bool {
		return table.Country(i) == g.country && (g.state == "" || slices.Contains(table.Regions(i), g.state))
	}) {
		r.each(i, func(f int, n Number) { all[f] = append(all[f], n.Value) })
	}
	for _, values := range all {
		slices.Sort(values)
	}
	if len(p.groups)%64 == 0 { // those of before are forgotten
		p.groups = map[group][][]float64{}
	}
	p.groups[g] = all
	return all
}

// Percent is how many of the others in an ascending list are below one of its values, ties counting half, in whole percent; false
// where there are fewer others than MinPeers.
func Percent(sorted []float64, value float64) (percent int, ok bool) {
	below, _ := slices.BinarySearch(sorted, value)
	upTo, _ := slices.BinarySearch(sorted, math.Nextafter(value, math.Inf(1)))
	others, ties := len(sorted)-1, upTo-below-1
	if others < MinPeers || ties < 0 {
		return 0, false
	}
	return int(math.Round(100 * (float64(below) + float64(ties)/2) / float64(others))), true
}

// Median of an ascending list that is not empty.
func Median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

func (r *Reader) area(i int) Area {
	table := r.Release.Geographies
	return Area{table.ID(i), int(table.Level(i)), table.Country(i), table.Name(i)}
}

// Context describes a geography by its id and the ids of what contains it. Of a private geography the page has the figures already:
// it has none of its own here, and no rank.
func (r *Reader) Context(id string, parents []string, peers *Peers) Context {
	out, table := Context{GeogID: id, Beside: []Area{}, Figures: map[string]*InFigure{}}, r.Release.Geographies
	var beside []int
	for _, parent := range parents {
		if i, ok := table.ByID(parent); ok && r.Sees(i) {
			beside, out.Beside = append(beside, i), append(out.Beside, r.area(i))
		}
	}
	figure := func(f int) *InFigure {
		if out.Figures[Figures[f].ID] == nil {
			out.Figures[Figures[f].ID] = &InFigure{Beside: make([]*Number, len(beside))}
		}
		return out.Figures[Figures[f].ID]
	}
	for n, i := range beside {
		r.each(i, func(f int, value Number) { figure(f).Beside[n] = &value })
	}
	own, ok := table.ByID(id)
	if !ok || !r.Sees(own) {
		return out
	}
	r.each(own, func(f int, value Number) { figure(f).Own = &value })
	if _, superseded := table.Superseded(own); superseded { // it is none of the peers
		return out
	}
	g := group{level: table.Level(own), country: table.Country(own)}
	for _, i := range beside {
		if codes := table.Regions(i); table.Level(i) == schemas.State && len(codes) == 1 {
			out.rank(table.ID(i), peers.of(r, group{g.level, g.country, codes[0]}))
		}
	}
	out.rank(g.country, peers.of(r, g))
	return out
}

// rank sets the ranks that are not known yet.
func (c *Context) rank(among string, sorted [][]float64) {
	for f, values := range sorted {
		one := c.Figures[Figures[f].ID]
		if one == nil || one.Own == nil || one.Own.Open != "" || one.Rank != nil {
			continue
		}
		if percent, ok := Percent(values, one.Own.Value); ok {
			one.Rank = &Rank{among, len(values) - 1, percent, Median(values)}
		}
	}
}
