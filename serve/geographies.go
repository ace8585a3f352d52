package serve

import (
	"strconv"

	"quartier/internal/pack/names"
	"quartier/schemas"
	"quartier/serve/param"
)

// geographiesQuery is the query of GET /v3/geographies: a point or a name.
type geographiesQuery struct {
	Lat, Lng      param.Value[float64]
	Name          param.Value[string]
	Language      param.Value[string]
	LocationCodes param.Value[[]string]
	Levels        param.Value[uint64]
	Limit         param.Value[int]
	Include       param.Value[string]
}

// maxName is the longest name that can be looked up, in characters.
const maxName = 256

// maxItems bounds the lists that the contract does not bound.
const maxItems = 1000

var languages = []string{"en", "fr"}

var geographies = define(route{
	path:    "/v3/geographies",
	product: "geographies",
	summary: "Geographies at a point or by name",
	doc: "Give lat and lng, or name. At a point the result is ordered by level, smallest to largest; " +
		"by name it is ordered by similarity, most similar first.",
	answer:  schemas.GeographiesAnswer{},
	refuses: []error{param.ErrRange, errOutside, errRegion},
}, param.NewSet((*geographiesQuery).check,
	param.Latitude("lat", func(q *geographiesQuery) *param.Value[float64] { return &q.Lat }),
	param.Longitude("lng", func(q *geographiesQuery) *param.Value[float64] { return &q.Lng }),
	param.Phrase("name", maxName, func(q *geographiesQuery) *param.Value[string] { return &q.Name }).
		Doc("Name to look up, without regard to case, accents and punctuation; typing errors are tolerated. "+
			"At most 256 characters."),
	param.Choice("language", "en", languages, func(q *geographiesQuery) *param.Value[string] { return &q.Language }).
		Doc("Language in which names are compared first. Only with name."),
	param.Words("location_codes", "[A-Z]{2}_[A-Z]{2}", maxItems, func(q *geographiesQuery) *param.Value[[]string] { return &q.LocationCodes }).
		Doc("States or provinces to look in, such as CA_QC. Only with name."),
	param.Subset("levels", levelOptions, func(q *geographiesQuery) *param.Value[uint64] { return &q.Levels }).
		Doc("Levels to return; empty means all."),
	param.Count("limit", 50, 5, func(q *geographiesQuery) *param.Value[int] { return &q.Limit }).
		Doc("The most results to return. Only with name."),
	param.Choice("include", "", []string{"geometry"}, func(q *geographiesQuery) *param.Value[string] { return &q.Include }).
		Doc("Also return the geometry, of Canadian geographies only."),
), answerGeographies)

func (q *geographiesQuery) check() error {
	switch {
	case q.Lat.Given != q.Lng.Given:
		return param.Bad("lat and lng go together")
	case q.Name.Given == q.Lat.Given:
		return param.Bad("give either lat and lng, or name")
	}
	return nil
}

func answerGeographies(x *exchange, q *geographiesQuery) error {
	levels := levelsOf(lookupLevels, q.Levels.V)
	if q.Lat.Given {
		if err := x.view.place(q.Lng.V, q.Lat.V); err != nil {
			return err
		}
		x.found = x.view.geographiesAt(x.found[:0], q.Lng.V, q.Lat.V, levels)
	} else {
		x.view.geographiesNamed(&names.Query{
			Name: q.Name.V, Language: q.Language.V, Levels: levels, Locations: q.LocationCodes.V, Limit: q.Limit.V,
		}, &x.matches)
		x.found = x.found[:0]
		for _, match := range x.matches.Matches {
			x.found = append(x.found, match.Index)
		}
	}
	x.writeGeographies(q.Include.Given, nil)
	return nil
}

var geographiesMeta = openMeta("geographies")

// writeGeographies fills the body, a schemas.GeographiesAnswer, with the geographies found.
func (x *exchange) writeGeographies(withGeometry bool, deprecation *schemas.Deprecation) {
	table := x.view.release.Geographies
	b := append(x.body[:0], `{"data":{"type":"geographies","geographies":{`...)
	for n, i := range x.found {
		if n > 0 {
			b = append(b, ',')
		}
		b = table.AppendMember(b, i, withGeometry)
	}
	b = append(b, `}},"meta":`...)
	b = append(b, geographiesMeta...)
	b = append(b, `,"order":[`...)
	for n, i := range x.found {
		if n > 0 {
			b = append(b, ',')
		}
		b = table.AppendID(b, i)
	}
	b = append(b, ']')
	b = appendDeprecation(b, deprecation)
	x.body = append(b, `}}`...)
}

// lookupLevels are the levels that can be asked for by number: all but the country.
var lookupLevels = schemas.Levels[:len(schemas.Levels)-1]

var levelOptions = levelNumbers(lookupLevels)

func levelNumbers(levels []schemas.Level) []string {
	var numbers []string
	for _, level := range levels {
		numbers = append(numbers, strconv.Itoa(int(level)))
	}
	return numbers
}

// levelsOf is the set of those of the levels whose bits stand; none stands for all there are.
func levelsOf(levels []schemas.Level, bits uint64) schemas.LevelSet {
	if bits == 0 {
		return 0
	}
	var chosen []schemas.Level
	for i, level := range levels {
		if bits&(1<<i) != 0 {
			chosen = append(chosen, level)
		}
	}
	return schemas.NewLevelSet(chosen...)
}
