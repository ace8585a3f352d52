package place

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/paulmach/orb"

	"quartier/schemas/tsv"
)

// city is a row of cities.tsv.
type city struct {
	state  State
	name   string
	point  orb.Point
	people int
}

//go:embed cities.tsv
var citiesText string

var cities = sync.OnceValue(func() (list []city) {
	states := map[string]State{}
	for _, s := range States() {
		states[s.ID()] = s
	}
	number := func(text string) float64 {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			panic(err)
		}
		return v
	}
	for _, row := range tsv.MustParse("cities.tsv", citiesText, "state", "name", "lng", "lat", "people") {
		list = append(list, city{states[row[0]], row[1], orb.Point{number(row[2]), number(row[3])}, int(number(row[4]))})
	}
	return list
})

// citiesOf are the cities of a name in some states, the largest first.
func citiesOf(name string, states []State) (found []city) {
	in := map[string]bool{}
	for _, s := range states {
		in[s.ID()] = true
	}
	for _, c := range cities() {
		if in[c.state.ID()] && (fold(c.name) == fold(name) || fold(c.name) == fold(name)+"city") {
			found = append(found, c)
		}
	}
	slices.SortStableFunc(found, func(a, b city) int { return b.people - a.people })
	return found
}

func (c city) title() string { return c.name + ", " + c.state.Name.EN }

// place is the surroundings of a city: 3 km in each direction for the smallest, 15 km for 800,000 people, 40 km at most.
func (c city) place() *Place {
	metres := math.Min(3000+1.35*math.Sqrt(float64(c.people))*10, 40000)
	box := around(c.point, metres)
	p := &Place{Name: c.state.ID() + "-" + dashed(c.name), Title: c.title(), Box: box}
	for _, s := range States() {
		if s.meets(box) || s.ID() == c.state.ID() {
			p.States = append(p.States, s)
		}
	}
	slices.SortStableFunc(p.States, func(a, b State) int { // its own state first
		return boolOrder(a.ID() != c.state.ID()) - boolOrder(b.ID() != c.state.ID())
	})
	return p
}

func boolOrder(b bool) int {
	if b {
		return 1
	}
	return 0
}

// dashed is a name in lower-case letters and dashes.
func dashed(name string) string {
	var words []string
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '-' || r == '.' || r == '\'' || r == '’' }) {
		words = append(words, ascii(fold(word)))
	}
	return strings.Trim(strings.Join(words, "-"), "-")
}

func ascii(text string) string {
	return strings.Map(func(r rune) rune {
		if r > 127 {
			return -1
		}
		return r
	}, text)
}

func withinText(given bool, in string) string {
	if given {
		return " in " + in
	}
	return ""
}

// nearText names cities that begin like a name.
func nearText(name string, states []State) string {
	in := map[string]bool{}
	for _, s := range states {
		in[s.ID()] = true
	}
	start := []rune(fold(name))
	var names []string
	for _, c := range cities() {
		if len(start) >= 4 && in[c.state.ID()] && strings.HasPrefix(fold(c.name), string(start[:4])) && len(names) < 5 {
			names = append(names, c.title())
		}
	}
	if names == nil {
		return ""
	}
	return "; near in spelling: " + strings.Join(names, "; ")
}

// grouped is a number with commas.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Point is where the place has people: in its largest city, or the centre of its box if there is none.
func (p *Place) Point() orb.Point {
	most, point := 0, p.Box.Center()
	for _, c := range cities() {
		in := slices.ContainsFunc(p.States, func(s State) bool { return s.ID() == c.state.ID() })
		if in && c.people > most && p.Box.Contains(c.point) {
			most, point = c.people, c.point
		}
	}
	return point
}
