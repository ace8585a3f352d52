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
	Beside  []Area               `json:"beside"`           // what contains it, the smallest first
	Peers   map[string]PeersOf   `json:"peers"`            // by "state" and "country"; without those that are too few
	Figures map[string]*InFigure `json:"figures"`          // by id; those that any of them has
	Market  string               `json:"market,omitempty"` // YYYY-MM-DD to which its figures are
}

// Area is a geography by its names.
type Area struct {
	GeogID string       `json:"geog_id"`
	Level  int          `json:"level"`
	Name   schemas.Text `json:"name"`
}

// PeersOf says among what areas a geography has a rank: those of its level in its state, or in the part of its country that the
// release has.
type PeersOf struct {
	Level int          `json:"level"`
	Name  schemas.Text `json:"name"` // of the state or country
}

// InFigure is one figure of a Context.
type InFigure struct {
	Own    *Number   `json:"own"`    // null: not known
	Beside []*Number `json:"beside"` // as Context.Beside; null: not known
	Rank   *Rank     `json:"rank"`   // null: there are too few peers, or the value is a bound
}

// Rank is the place of a value among those of peers.
type Rank struct {
	Among   string  `json:"among"`   // key of Context.Peers
	Count   int     `json:"count"`   // of peers with the figure, itself left out
	Percent int     `json:"percent"` // of them that are lower, ties counting half
	Median  float64 `json:"median"`  // of all of them and itself
}

// Peers keeps the sorted figures of groups of geographies, for one release and account. The zero value is ready.
type Peers struct {
	mu     sync.Mutex
	groups map[group][][]float64 // by figure
}

// group is the geographies of a level in a country or, unless state is "", in one of its states ("US_DE").
type group struct {
	level          schemas.Level
	country, state string
	market         string // digest of its figures, which are replaced without the others
}

// maxGroups is how many groups are kept.
const maxGroups = 32

// of returns the values of each figure in a group, in ascending order.
func (p *Peers) of(r *Reader, g group) [][]float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if all, ok := p.groups[g]; ok {
		return all
	}
	all := make([][]float64, len(Figures))
	table := r.Release.Geographies
	for i := range table.Len() {
		if table.Level(i) != g.level || table.Country(i) != g.country || g.state != "" && !slices.Contains(table.Regions(i), g.state) {
			continue
		}
		if _, superseded := table.Superseded(i); superseded || !r.Sees(i) {
			continue
		}
		r.each(i, func(f int, n Number) { all[f] = append(all[f], n.Value) })
	}
	for _, values := range all {
		slices.Sort(values)
	}
	if len(p.groups) >= maxGroups || p.groups == nil {
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

// Context describes a geography by its id, public or not, and the ids of what contains it. Of a private one the page has the figures
// already: it has no rank.
func (r *Reader) Context(id string, parents []string, peers *Peers) Context {
	out := Context{GeogID: id, Beside: []Area{}, Peers: map[string]PeersOf{}, Figures: map[string]*InFigure{}}
	table, state := r.Release.Geographies, -1
	var beside []int
	for _, parent := range parents {
		if i, ok := table.ByID(parent); ok && r.Sees(i) && parent != id {
			beside = append(beside, i)
			out.Beside = append(out.Beside, Area{parent, int(table.Level(i)), table.Name(i)})
			if table.Level(i) == schemas.State {
				state = i
			}
		}
	}
	figure := func(f int) *InFigure {
		one := out.Figures[Figures[f].ID]
		if one == nil {
			one = &InFigure{Beside: make([]*Number, len(beside))}
			out.Figures[Figures[f].ID] = one
		}
		return one
	}
	for n, i := range beside {
		r.each(i, func(f int, value Number) { figure(f).Beside[n] = &value })
	}
	own, ok := table.ByID(id)
	if !ok || !r.Sees(own) {
		return out
	}
	if r.Release.Market != nil {
		out.Market = r.Release.Market.Table.Day().String()
	}
	r.each(own, func(f int, value Number) { figure(f).Own = &value })
	r.rank(&out, own, state, peers)
	return out
}

// rank sets the ranks of a geography: among its peers in the state where these are enough, else in the country.
func (r *Reader) rank(out *Context, own, state int, peers *Peers) {
	table := r.Release.Geographies
	if _, superseded := table.Superseded(own); superseded {
		return
	}
	among := func(key string, g group, name schemas.Text) {
		all := peers.of(r, g)
		for f := range Figures {
			one := out.Figures[Figures[f].ID]
			if one == nil || one.Own == nil || one.Own.Open != "" || one.Rank != nil {
				continue
			}
			if percent, ok := Percent(all[f], one.Own.Value); ok {
				one.Rank = &Rank{key, len(all[f]) - 1, percent, Median(all[f])}
				out.Peers[key] = PeersOf{int(g.level), name}
			}
		}
	}
	g := group{level: table.Level(own), country: table.Country(own)}
	if m := r.Release.Market; m != nil {
		g.market = m.Manifest.Digest
	}
	if state >= 0 {
		if codes := table.Regions(state); len(codes) == 1 {
			among("state", group{g.level, g.country, codes[0], g.market}, table.Name(state))
		}
	}
	country := schemas.Text{EN: g.country, FR: g.country}
	for _, area := range out.Beside {
		if area.Level == int(schemas.Country) {
			country = area.Name
		}
	}
	among("country", g, country)
}
