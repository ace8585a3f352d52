package explore

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"unicode"

	"quartier/internal/pack/names"
	"quartier/schemas"
)

// How well a name is what was typed, best first. What is less than allOf is a result in view alone, as POIs are that are not the
// same; elsewhere, and with typing errors anywhere, it is only what may have been meant.
const (
	same   = iota // but for what package names allows for
	allOf         // it has all words that were typed
	begun         // it begins with what was typed
	scraps        // its words begin with what was typed
	nearly        // typing errors
)

// Kinds, those first that are shown first of equally good names.
const (
	ofRegions = iota
	ofPostalAreas
	ofGeographies
	ofPOIs
	ofAddresses
)

// candidate is what was found, with what orders it.
type candidate struct {
	Found
	class, kind int
	near        bool // in view
	number      int  // of a geography
}

func (s *searching) add(c candidate) { s.candidates = append(s.candidates, c) }

// classOf is how well a name matches.
func classOf(m *names.Match, name, typed string) int {
	switch {
	case m.Class <= names.Alike:
		return same
	case m.Class == names.Prefix && wholeWords(name, typed), m.Class == names.Words && m.Errors < 3:
		return allOf
	case m.Class == names.Prefix:
		return begun
	case m.Class == names.Words:
		return scraps
	}
	return nearly
}

// wholeWords reports whether some first words of a name are what was typed.
func wholeWords(name, typed string) bool {
	folded := names.Fold(typed)
	for i, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) && names.Fold(name[:i]) == folded {
			return true
		}
	}
	return false
}

// The reach of a view, in metres: three times the width of a tile, in limits. On a map of a continent everything is in view.
const (
	leastZoom  = 5
	leastReach = 20e3
	mostReach  = 400e3
)

// reach is how far from the middle of the map is in view; 0: there is no view.
func (s *searching) reach() float64 {
	if !s.lat.Given || s.zoom.V < leastZoom {
		return 0
	}
	return min(max(3*2*math.Pi*6_371_000/math.Exp2(s.zoom.V), leastReach), mostReach)
}

func (s *searching) near(metres float64) bool { return s.reach() == 0 || metres <= s.reach() }

// inView reports whether a geography contains the middle of the map, or its own is in view.
func (s *searching) inView(i int) bool {
	if b := s.release.BBox(i); s.lat.V >= b.Min[1] && s.lat.V <= b.Max[1] && s.lng.V >= b.Min[0] && s.lng.V <= b.Max[0] {
		return true
	}
	at := s.release.Centroid(i)
	return s.near(distance(s.lng.V, s.lat.V, at[0], at[1]))
}

// distance is about that of two points, in metres.
func distance(lng, lat, toLng, toLat float64) float64 {
	east := math.Remainder(toLng-lng, 360) * math.Cos(lat*math.Pi/180)
	return math.Hypot(east, toLat-lat) * 111_195
}

// body orders the candidates and cuts them to the limit. A kind has at most five of eight places while others have candidates.
func (s *searching) body() SearchBody {
	slices.SortStableFunc(s.candidates, func(a, b candidate) int {
		far := map[bool]int{false: 1}
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.kind, b.kind), cmp.Compare(far[a.near], far[b.near]))
	})
	shown := s.cut(func(c *candidate) bool {
		return c.class < nearly && c.near || c.class == same || c.class == allOf && c.kind != ofPOIs
	}, s.limit.V)
	body := SearchBody{Results: shown, DidYouMean: []Found{}}
	if len(shown) == 0 {
		body.DidYouMean = s.cut(func(*candidate) bool { return true }, min(s.limit.V, defaultFound/2))
	}
	return body
}

// cut describes the first candidates of those that are wanted.
func (s *searching) cut(wanted func(*candidate) bool, limit int) []Found {
	var kept, rest []candidate
	count := map[int]int{}
	for i := range s.candidates {
		c := &s.candidates[i]
		if !wanted(c) {
			continue
		}
		if count[c.kind]++; count[c.kind] > (limit*5+7)/8 {
			rest = append(rest, *c)
		} else {
			kept = append(kept, *c)
		}
	}
	kept = kept[:min(len(kept), limit)]
	kept = append(kept, rest[:min(len(rest), limit-len(kept))]...)
	slices.SortStableFunc(kept, func(a, b candidate) int { return cmp.Compare(a.class, b.class) })
	found := []Found{}
	for i := range kept {
		s.place(&kept[i])
		found = append(found, kept[i].Found)
	}
	return found
}

// place says where a candidate is: a geography by what the API says of it, a POI by the geographies around it.
func (s *searching) place(c *candidate) {
	switch c.kind {
	case ofRegions, ofAddresses:
		return
	case ofPOIs:
		var around []schemas.Text
		levels := schemas.NewLevelSet(schemas.Neighbourhood, schemas.Municipality, schemas.State)
		for _, i := range s.release.GeographiesAt(nil, c.Lng, c.Lat, levels) {
			around = append(around, s.release.Name(i))
		}
		c.Within = s.within(c.Name, around)
		return
	}
	member, _ := s.release.AppendMember([]byte{'{'}, c.number, false)
	var one map[string]schemas.Geography
	if json.Unmarshal(append(member, '}'), &one) != nil {
		return
	}
	for id, g := range one {
		c.ID, c.Type = id, g.LevelType.In(s.language.V)
		var larger []schemas.Text
		for _, ref := range []*schemas.NamedGeogRef{g.City, g.MetroArea} {
			if ref != nil {
				larger = append(larger, schemas.Text{EN: ref.EN, FR: ref.FR})
			}
		}
		if g.SubCountry != nil {
			larger = append(larger, *g.SubCountry)
		}
		c.Within = s.within(c.Name, append(larger, g.Country))
	}
}

// within joins at most three names of what contains a place, each once and not its own.
func (s *searching) within(name string, larger []schemas.Text) string {
	var all []string
	for _, one := range larger {
		if text := one.In(s.language.V); text != "" && text != name && !slices.Contains(all, text) && len(all) < 3 {
			all = append(all, text)
		}
	}
	return strings.Join(all, ", ")
}

// regions adds those whose name begins with what was typed.
func (s *searching) regions(all []Region) {
	typed := names.Fold(s.text.V)
	for _, region := range all {
		name, within, _ := strings.Cut(region.Title.In(s.language.V), ", ")
		class := nearly
		for _, title := range []string{region.Title.EN, region.Title.FR, region.Name} {
			short, _, _ := strings.Cut(title, ", ")
			switch folded := names.Fold(title); {
			case typed == folded, typed == names.Fold(short):
				class = same
			case len(typed) > 2 && strings.HasPrefix(folded, typed):
				class = min(class, begun)
			}
		}
		if class < nearly {
			b := region.BBox
			s.add(candidate{class: class, kind: ofRegions, near: true, Found: Found{Kind: "region", ID: region.Name, Name: name, Within: within,
				Lat: (b[1] + b[3]) / 2, Lng: (b[0] + b[2]) / 2, BBox: &b}})
		}
	}
}
