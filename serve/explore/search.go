package explore

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"quartier/internal/pack/names"
	"quartier/internal/pack/pois"
	"quartier/schemas"
	"quartier/serve/param"
	"quartier/serve/scope"
)

// Found is a result of the search, or what may have been meant.
type Found struct {
	Kind   string      `json:"kind"` // geography, poi, postal_area, region, address or point
	ID     string      `json:"id"`   // geog_id, name of the region, or of a POI one that this release alone has; "" of an address or point
	Name   string      `json:"name"`
	Within string      `json:"within"` // where it is, from near to far; "" if not known
	Lat    float64     `json:"lat"`
	Lng    float64     `json:"lng"`
	Level  int         `json:"level,omitempty"` // of a geography or postal area
	Type   string      `json:"type,omitempty"`  // name of the level, also of an address, or of a POI's category
	BBox   *[4]float64 `json:"bbox,omitempty"`  // west, south, east, north, in degrees; absent for POIs, addresses and points
}

// SearchBody is the answer of /explore/search. Where Results is empty, DidYouMean has what is named nearly so.
type SearchBody struct {
	Results    []Found `json:"results"`
	DidYouMean []Found `json:"did_you_mean"`
}

// searched are the parameters of /explore/search: the text, and the middle of the map with its zoom.
type searched struct {
	text           param.Value[string]
	lat, lng, zoom param.Value[float64]
	language       param.Value[string]
	limit          param.Value[int]
}

const (
	maxSearched  = 256 // characters
	maxFound     = 20
	defaultFound = 8
)

var searchedSet = param.NewSet[searched](nil,
	param.Phrase("q", maxSearched, func(q *searched) *param.Value[string] { return &q.text }).Required(),
	param.Latitude("lat", func(q *searched) *param.Value[float64] { return &q.lat }),
	param.Longitude("lng", func(q *searched) *param.Value[float64] { return &q.lng }),
	param.FromZero("zoom", 0, func(q *searched) *param.Value[float64] { return &q.zoom }),
	param.Choice("language", "en", []string{"en", "fr"}, func(q *searched) *param.Value[string] { return &q.language }),
	param.Count("limit", maxFound, defaultFound, func(q *searched) *param.Value[int] { return &q.limit }),
)

// answerSearch answers with what a text may be the name of: /explore/search?q=ballard&lat=47.6&lng=-122.3&zoom=12&language=en.
//
// The API is asked for the same name first. What it refuses is passed on as it is, so that rights, limits and errors are the
// same: who may not search geographies does not search. POIs are found by those who may have them.
func (e *Explorer) answerSearch(v *visit, _ string) error {
	var q searched
	if _, err := searchedSet.Parse(v.HTTP.URL.RawQuery, &q, nil); err != nil || q.lat.Given != q.lng.Given {
		return errBadSearch
	}
	api := &captured{header: v.W.Header()}
	v.API(api, callOf(v.HTTP, "/v3/geographies", "limit=1&name="+url.QueryEscape(q.text.V)), v.account)
	if api.status != http.StatusOK {
		return api.send(v)
	}
	if v.release == nil {
		return errNoRelease
	}
	body, err := json.Marshal(e.search(v, &q))
	if err != nil {
		return err
	}
	write(v, http.StatusOK, jsonType, body)
	return nil
}

func (e *Explorer) search(v *visit, q *searched) SearchBody {
	if lng, lat, ok := parsePair(q.text.V); ok {
		return SearchBody{[]Found{{Kind: "point", Name: strings.TrimSpace(q.text.V), Lat: lat, Lng: lng}}, []Found{}}
	}
	s, agreement := &searching{searched: q}, &v.account.Agreement
	var allowed []string // nil: everywhere
	if !agreement.Unrestricted() {
		allowed = agreement.Regions
	}
	s.release.Open(v.release, v.account.Customer, allowed)
	s.release.Stop = func() bool { return v.HTTP.Context().Err() != nil }
	s.geographies()
	if agreement.AllowsProduct("pois") {
		s.pois()
	}
	if agreement.AllowsProduct("addresses") {
		s.addresses()
	}
	regions, _ := e.views.of(v.release, v.account).regionsOf(v.release)
	s.regions(regions)
	return s.body()
}

// searching is a search while it is answered.
type searching struct {
	*searched
	release    scope.Release
	candidates []candidate
}

// geographies adds those by name. A full postal code is the area that it begins with.
func (s *searching) geographies() {
	q := names.Query{Name: s.text.V, Language: s.language.V, Limit: maxFound}
	if area := postalArea(s.text.V); area != "" {
		q.Name, q.Levels = area, schemas.NewLevelSet(schemas.PostalArea)
	}
	var result names.Result
	seen := map[int]bool{}
	search := func(admit func(int) bool) {
		q := q
		q.Admit = admit
		s.release.GeographiesNamed(&q, &result)
		for _, m := range result.Matches {
			if !seen[m.Index] {
				seen[m.Index] = true
				s.addGeography(m, q.Name)
			}
		}
	}
	if s.reach() > 0 { // of many equal ones those in view, however small they are
		search(s.inView)
	}
	search(nil)
}

func (s *searching) addGeography(m names.Match, typed string) {
	name, level := s.release.Name(m.Index).In(s.language.V), s.release.Level(m.Index)
	at, b := s.release.Centroid(m.Index), s.release.BBox(m.Index)
	f := Found{Kind: "geography", Name: name, Lat: at[1], Lng: at[0], Level: int(level),
		BBox: &[4]float64{b.Min[0], b.Min[1], b.Max[0], b.Max[1]}}
	kind := ofGeographies
	if level == schemas.PostalArea {
		f.Kind, kind = "postal_area", ofPostalAreas
	}
	s.add(candidate{Found: f, class: classOf(&m, name, typed), kind: kind, near: s.inView(m.Index), number: m.Index})
}

// pois adds those by name, the nearest of equal ones.
func (s *searching) pois() {
	q := pois.NameQuery{Name: s.text.V, Lng: s.lng.V, Lat: s.lat.V, ReachM: s.reach(), Limit: maxFound}
	var result pois.NameResult
	s.release.POIsNamed(&q, &result)
	table := s.release.POITable()
	var buffer []byte
	for _, h := range result.Hits {
		var poi schemas.EnhancedPOI
		buffer = table.AppendPOI(buffer[:0], pois.Hit{Index: h.Index})
		if json.Unmarshal(buffer, &poi) != nil {
			continue // of a pack that is damaged
		}
		f := Found{Kind: "poi", ID: "poi-" + strconv.Itoa(int(h.Index)), Name: poi.Name, Lat: poi.Lat, Lng: poi.Lng}
		if len(poi.Categories) > 0 {
			if i, ok := schemas.CategoryIndex(poi.Categories[0]); ok {
				f.Type = schemas.Categories[i].Label.In(s.language.V)
			}
		}
		s.add(candidate{Found: f, class: classOf(&h.Match, poi.Name, q.Name), kind: ofPOIs, near: s.near(h.Metres)})
	}
}

// parsePair reads a pair of degrees, latitude first: "45.0341, -72.6168", "45,0341; -72,6168", "45.0341 N 72.6168 W".
func parsePair(text string) (lng, lat float64, ok bool) {
	if frenchPair.MatchString(text) {
		text = strings.ReplaceAll(text, ",", ".")
	}
	part := pair.FindStringSubmatch(text)
	if part == nil {
		return 0, 0, false
	}
	lat, err := strconv.ParseFloat(part[1], 64)
	lng, err2 := strconv.ParseFloat(part[3], 64)
	if strings.EqualFold(part[2], "S") {
		lat = -lat
	}
	if strings.EqualFold(part[4], "W") || strings.EqualFold(part[4], "O") {
		lng = -lng
	}
	return lng, lat, err == nil && err2 == nil && lat >= -90 && lat <= 90 && lng >= -180 && lng <= 180
}

var (
	frenchPair = regexp.MustCompile(`^\s*-?\d+,\d+\s*[;\s]\s*-?\d+,\d+\s*$`)
	pair       = regexp.MustCompile(`(?i)^\s*(-?\d{1,3}(?:\.\d+)?)\s*°?\s*([NS])?\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*°?\s*([EWO])?\s*$`)

	canadian = regexp.MustCompile(`(?i)^\s*([A-Z]\d[A-Z])[\s-]*\d(?:[A-Z]\d?)?\s*$`)
	american = regexp.MustCompile(`^\s*(\d{5})[\s-]*\d{1,4}\s*$`)
)

// postalArea is the area of a postal code that is longer than one, even if it is not typed to its end: K1A of "k1a 0b6", 19801 of
// "19801-1234"; "" if the text is none.
func postalArea(text string) string {
	for _, form := range []*regexp.Regexp{canadian, american} {
		if part := form.FindStringSubmatch(text); part != nil {
			return strings.ToUpper(part[1])
		}
	}
	return ""
}
