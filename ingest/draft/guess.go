package draft

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"quartier/ingest"
	"quartier/ingest/formats/tiff"
	"quartier/ingest/source"
	"quartier/schemas"
)

// guess is what a file may be as a source.
type guess struct {
	kind    string
	options *options
	doubts  []string // each a question, without its mark
	off     string   // why it can be no source as it is, a question without its mark
}

// rule recognises files of one kind.
type rule func(s *sample) *guess

// selfTold are the kinds whose files say what they are: Check refuses others. Options are tried one after the other.
var selfTold = []struct {
	kind    string
	options [][2]string
	looks   func(s *sample) bool // nil: any file
}{
	{"acs", nil, nil},
	{"nces", nil, nil},
	{"odef", nil, nil},
	{"census-profile", nil, nil},
	{"census-profile", [][2]string{{"layout", "ottawa-wards"}}, nil},
	{"home-values", nil, func(s *sample) bool { return s.all("RegionName", "RegionType") }},
	{"corrections", nil, func(s *sample) bool { return s.all("action") && (s.all("key") || s.all("name")) }},
	{"gazetteer", nil, func(s *sample) bool { return len(s.columns) == 19 && s.within(s.columns[4], 10, 90) }},
}

// bySelf tries the kinds whose files say what they are.
func bySelf(ctx context.Context, s *sample) *guess {
	extension := strings.ToLower(filepath.Ext(s.path))
	if !slices.Contains([]string{".csv", ".txt", ".tsv", ".dat", ".zip"}, extension) && (extension != ".json" || s.fault == nil) {
		return nil
	}
	for _, k := range selfTold {
		if k.looks != nil && !k.looks(s) {
			continue
		}
		g := &guess{kind: k.kind, options: newOptions()}
		for _, o := range k.options {
			g.options.text(o[0], o[1])
		}
		if check(ctx, s.path, g) == nil {
			return g
		}
	}
	return nil
}

// check is Check of the kind of a guess.
func check(ctx context.Context, path string, g *guess) error {
	kind, known := ingest.KindOf(g.kind)
	if !known {
		return source.ErrBadOptions
	}
	return kind.Check(ctx, source.Input{Source: "draft", Path: path, Options: *g.options.node()})
}

// census are layouts of census files of features by columns that they alone have, the smallest areas first.
var census = []struct {
	columns []string
	without string
	kind    string
	layout  string
}{
	{[]string{"GEOID20", "POP20", "HOUSING20"}, "", "blocks", "tiger-tabblock20"},
	{[]string{"GEOID20", "BLOCKCE20", "ALAND20"}, "POP20", "water", "tiger-tabblock20"},
	{[]string{"phh_id", "DBUID", "dbpop"}, "", "blocks", "statcan-phh"},
	{[]string{"GISJOIN", "BLKGRPCE10"}, "", "zones", "nhgis-bg"},
	{[]string{"GISJOIN", "BLKGRPCE"}, "", "zones", "nhgis-bg"},
	{[]string{"GEOID", "BLKGRPCE"}, "", "zones", "tiger-bg"},
	{[]string{"GEOID10", "BLKGRPCE10"}, "", "zones", "tiger-bg"},
	{[]string{"DAUID"}, "DBUID", "zones", "statcan-da"},
	{[]string{"HYDROID", "FULLNAME"}, "", "water", "tiger-areawater"},
	{[]string{"GEOID", "TRACTCE"}, "", "boundaries", "tiger-tract"},
	{[]string{"GEOID", "COUSUBFP"}, "", "boundaries", "tiger-cousub"},
	{[]string{"GEOID", "PLACEFP"}, "", "boundaries", "tiger-place"},
	{[]string{"ZCTA5CE20"}, "", "boundaries", "tiger-zcta"},
	{[]string{"ZCTA5CE10"}, "", "boundaries", "tiger-zcta"},
	{[]string{"CBSAFP", "NAME"}, "", "boundaries", "tiger-cbsa"},
	{[]string{"GEOID", "COUNTYFP", "STATEFP"}, "", "boundaries", "tiger-county"},
	{[]string{"GEOID", "STUSPS"}, "", "boundaries", "tiger-state"},
	{[]string{"CSDUID", "CSDNAME"}, "", "boundaries", "statcan-csd"},
	{[]string{"CTUID"}, "", "boundaries", "statcan-ct"},
	{[]string{"CMAUID", "CMANAME"}, "", "boundaries", "statcan-cma"},
	{[]string{"CDUID", "CDNAME"}, "", "boundaries", "statcan-cd"},
	{[]string{"CFSAUID"}, "", "boundaries", "statcan-fsa"},
	{[]string{"PRUID", "PRENAME"}, "", "boundaries", "statcan-pr"},
	{[]string{"LINEARID", "MTFCC"}, "", "roads", "tiger-roads"},
	{[]string{"TLID", "MTFCC"}, "", "roads", "tiger-edges"},
	{[]string{"NGD_UID", "RANK", "CLASS"}, "", "roads", "statcan-rnf"},
	{[]string{"ncessch", "schnam", "gslo"}, "", "catchments", "sabs"},
	{[]string{"AADT", "F_SYSTEM"}, "", "traffic-counts", "hpms"},
}

// byCensus recognises the layouts of census offices.
func byCensus(s *sample) *guess {
	for _, c := range census {
		if s.shape != "" && s.all(c.columns...) && (c.without == "" || !s.all(c.without)) {
			return &guess{kind: c.kind, options: newOptions().text("layout", c.layout)}
		}
	}
	if s.shape == "area" && s.all("GEOID", "NAME", "variable", "estimate") { // of tidycensus with geometry
		if c := s.column("GEOID"); slices.ContainsFunc(s.values[c], func(v string) bool { return len(v) == 12 }) {
			return &guess{kind: "zones", options: newOptions().text("layout", "tiger-bg")}
		}
	}
	return nil
}

// cities are the cities with a ready mapping of their cycling network, by a column that it has.
var cities = [][2]string{{"FACILITY_TYPE", "ottawa"}, {"INFRA_LOWORDER", "toronto"}, {"TYPE_VOIE", "montreal"}, {"BICYCLE_CL", "calgary"},
	{"BIKELANE_CONVENTIONAL", "washington"}, {"TYPE", "vancouver"}}

// byLines recognises lines: of public transport, and cycling networks.
func byLines(s *sample) *guess {
	stem := plain(filepath.Base(s.path))
	for _, city := range cities {
		named := strings.Contains(stem, "cycl") || strings.Contains(stem, "bik")
		if c := s.column(city[0]); c != "" && (named || s.shape == "line" && city[0] != "TYPE") {
			return &guess{kind: "cycling-network", options: newOptions().text("layout", city[1]),
				doubts: []string{"the classes are those of the layout " + city[1] + ": are they all there is in column " + c}}
		}
	}
	if c := s.column("route_id"); c != "" && s.shape == "line" {
		o := newOptions().text("key", c).text("name", cmpOr(s.column("route_short_name", "route_name", "name"), c)).text("mode", "bus")
		return &guess{kind: "transit-lines", options: o, doubts: []string{"mode bus, of lines that say nothing of theirs: are they all buses"}}
	}
	return nil
}

var (
	schoolWords = regexp.MustCompile(`(?i)school|ecole|école|academ`)
	areaWords   = regexp.MustCompile(`(?i)attendance|catchment|grades`)
	levelWords  = []struct {
		words *regexp.Regexp
		level int
	}{
		{regexp.MustCompile(`(?i)neighbou?rhood|quartier|cluster|communit`), 10},
		{regexp.MustCompile(`(?i)ward|district|borough|arrondissement`), 20},
		{regexp.MustCompile(`(?i)zip|postal|fsa`), 32},
		{regexp.MustCompile(`(?i)city|cities|municip|town|limits`), 30},
		{regexp.MustCompile(`(?i)count(y|ies)|division`), 37},
		{regexp.MustCompile(`(?i)province|states?\b`), 60},
	}
	gradeWords = []struct {
		words *regexp.Regexp
		level string
	}{
		{regexp.MustCompile(`(?i)(^|[_-])(es|elem\w*|k|primary)([_-]|\b)|gradesk$`), "elementary"},
		{regexp.MustCompile(`(?i)(^|[_-])(ms|middle)([_-]|\b)|grades7$`), "middle"},
		{regexp.MustCompile(`(?i)(^|[_-])(hs|high|secondary)([_-]|\b)|grades9$`), "secondary"},
	}
)

// byAreas recognises outlines: catchments, heritage, and geographies by the words of the name of the file.
func byAreas(s *sample) *guess {
	stem := stemOf(s.path)
	if s.shape != "area" {
		return nil
	}
	if c := s.columnWith("zone", "school", "esid", "msid", "hsid"); c != "" && (schoolWords.MatchString(stem) || areaWords.MatchString(stem)) {
		o := newOptions().text("school_name", cmpOr(s.columnWith("name", "label"), c))
		g := &guess{kind: "catchments", options: o, doubts: []string{"outlines are joined to schools by name: has the list of schools their ids"}}
		for _, w := range gradeWords {
			if w.words.MatchString(stem) {
				o.text("level", w.level)
				return g
			}
		}
		g.doubts = append(g.doubts, "level is not known: is it elementary, middle or secondary")
		return g
	}
	if strings.Contains(plain(stem), "histor") || strings.Contains(plain(stem), "heritage") || strings.Contains(plain(stem), "landmark") {
		return &guess{kind: "heritage", options: newOptions().column("key", s.key()).column("name", s.name())}
	}
	if g := asPlaces(s); g != nil {
		return g
	}
	return asBoundaries(s, stem)
}

// asBoundaries makes outlines geographies of a level.
func asBoundaries(s *sample, stem string) *guess {
	name, key := s.name(), s.key()
	o := newOptions()
	g := &guess{kind: "boundaries", options: o}
	for _, w := range levelWords {
		if w.words.MatchString(stem) && o.level == 0 {
			o.number("level", w.level)
			g.doubts = append(g.doubts, "level "+schemas.LevelNumbers([]schemas.Level{schemas.Level(w.level)})[0]+" by the name of the file: is it")
		}
	}
	if o.level == 0 {
		o.number("level", int(schemas.Neighbourhood))
		g.doubts = append(g.doubts, "level 10, since nothing says another one: is it")
	}
	if c := s.columnWith("zcta", "zipcode", "zip", "cfsauid", "postal"); o.level == int(schemas.PostalArea) && c != "" {
		o.text("key", c).text("name", c)
		if !s.unique(c) {
			o.flag("merge")
			g.doubts = append(g.doubts, "several outlines have one "+c+" and are taken for its parts: are they")
		}
		return g
	}
	switch {
	case s.rows == 0 || len(s.columns) == 0: // without attributes: parts of one outline
		o.flag("dissolve").text("key_text", dashed(stem)).text("name_text", title(stem))
		g.doubts = append(g.doubts, "features have no attributes and are taken for one outline: what are its key and name")
		return g
	case key == "":
		o.text("key", "@row")
		g.doubts = append(g.doubts, "no column identifies the outlines, and their number in the file does not last: which one does")
	default:
		o.text("key", key)
	}
	if name == "" {
		name = cmpOr(s.columnWith("name", "label", "district", "zone"), key)
		g.doubts = append(g.doubts, "no column is called name: is it "+cmpOr(name, "one of "+strings.Join(s.columns, ", ")))
	}
	if name != "" {
		o.text("name", name)
	} else {
		o.text("name_text", title(stem)+" {@row}")
	}
	o.column("name_fr", s.column("name_fr", "nom", "prfname"))
	return g
}

// byPoints recognises lists: of schools, of heritage, and of places of a category by the name of the file.
func byPoints(s *sample) *guess {
	stem := stemOf(s.path)
	lng, _ := s.coordinates()
	switch {
	case s.shape == "" && lng == "" || s.shape == "area" || s.shape == "line":
		return nil
	case s.all("AADT"):
		return nil
	case schoolWords.MatchString(stem):
		return asSchools(s)
	case strings.Contains(plain(stem), "histor") || strings.Contains(plain(stem), "heritage") || strings.Contains(plain(stem), "landmark"):
		return &guess{kind: "heritage", options: s.located(newOptions().column("key", s.key()).column("name", s.name()))}
	}
	return asPlaces(s)
}

// asSchools maps a list of schools.
func asSchools(s *sample) *guess {
	name := s.name()
	if name == "" {
		name = s.columnWith("school", "property", "site")
	}
	if name == "" {
		return nil
	}
	o := newOptions().text("name", name)
	g := &guess{kind: "schools", options: o}
	o.column("key", s.key())
	o.column("name_fr", s.column("name_fr"))
	if c := s.column("grade", "grades", "grade_org", "grade_range"); c != "" {
		o.text("grades", c)
	} else if c := s.column("level", "category", "school_level", "type_specific"); c != "" {
		o.text("level_of", c)
		g.doubts = append(g.doubts, "levels are read from the words of column "+c+": are they all levels of schools")
	} else {
		g.doubts = append(g.doubts, "no column has grades or levels: of which level are they (option level)")
	}
	stem := plain(stemOf(s.path))
	switch {
	case strings.Contains(stem, "private"):
		o.text("type", "private")
	case strings.Contains(stem, "public"):
		o.text("type", "public")
	}
	s.contact(o)
	g.options = s.located(o)
	return g
}

// asPlaces maps a list of places of a category; nil where the name of the file has none.
func asPlaces(s *sample) *guess {
	category, sure := categoryOf(stemOf(s.path))
	if category == "" || s.name() == "" {
		return nil
	}
	g := placesOf(s, category)
	if !sure {
		g.doubts = append(g.doubts, "category "+category+" by a word of the name of the file: is it")
	}
	return g
}

// placesOf maps the columns of a list of places.
func placesOf(s *sample, category string) *guess {
	o := newOptions().column("key", s.key()).text("name", s.name()).column("name_fr", s.column("name_fr")).text("category", category)
	s.contact(o)
	return &guess{kind: "places", options: s.located(o)}
}

// contact maps the columns of addresses and of how to reach a place.
func (s *sample) contact(o *options) {
	o.column("address", s.column("address", "full_address", "addr", "street_address", "address1"))
	o.column("city", s.column("city", "municipality"))
	o.column("postal_code", s.column("postal_code", "postalcode", "zip", "zipcode", "zip_code"))
	o.column("phone", s.column("phone", "telephone", "phone_number"))
	o.column("url", s.column("website", "web_site", "url", "link", "web_url"))
}

// located sets the columns of coordinates of a table.
func (s *sample) located(o *options) *options {
	if s.shape == "" {
		lng, lat := s.coordinates()
		o.column("lng", lng).column("lat", lat)
	}
	return o
}

// categoryOf is the category that the words of a name are of; sure where the whole name is one.
func categoryOf(stem string) (category string, sure bool) {
	words := strings.Fields(strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(strings.ToLower(stem)))
	words = slices.DeleteFunc(words, func(w string) bool {
		return slices.Contains([]string{"raw", "data", "list", "open", "osm", "of", "the"}, w)
	})
	for n := len(words); n > 0; n-- {
		for i := 0; i+n <= len(words); i++ {
			for _, word := range []string{strings.Join(words[i:i+n], "_"), strings.TrimSuffix(strings.Join(words[i:i+n], "_"), "s")} {
				if class, known := schemas.PlaceClass(word); known && !slices.Contains(schemas.SchoolClasses, class) {
					return class, n == len(words)
				}
			}
		}
	}
	return "", false
}

// byRaster recognises rasters by their first values: codes of a legend are land cover, others heights.
func byRaster(path string) *guess {
	g := &guess{kind: "elevation", options: newOptions()}
	if strings.Contains(strings.ToLower(path), ".hgt") {
		return g
	}
	r, err := tiff.Open(path, tiff.Options{})
	if err != nil {
		return g
	}
	defer r.Close()
	width, height := min(r.Columns, 64), min(r.Rows, 64)
	cells := make([]float32, width*height)
	if r.Window((r.Columns-width)/2, (r.Rows-height)/2, width, height, cells) != nil {
		return g
	}
	for _, legend := range []struct {
		name  string
		codes []float32
	}{{"worldcover", []float32{10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 100}},
		{"nlcd", []float32{0, 11, 12, 21, 22, 23, 24, 31, 41, 42, 43, 51, 52, 71, 72, 73, 74, 81, 82, 90, 95, 127}}} {
		if !slices.ContainsFunc(cells, func(v float32) bool { return v == v && !slices.Contains(legend.codes, v) }) {
			return &guess{kind: "land-cover", options: newOptions().text("legend", legend.name),
				doubts: []string{"its values are codes of " + legend.name + " and no heights: are they"}}
		}
	}
	return g
}

func cmpOr(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
