package param_test

import (
	"errors"
	"math"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/serve/param"
)

// query has a field of each kind.
type query struct {
	Lat, Lng, Radius, Buffer param.Value[float64]
	Limit                    param.Value[int]
	Language, Name           param.Value[string]
	Colours                  param.Value[uint64]
	Codes                    param.Value[[]string]
	Polygon                  param.Value[orb.Ring]
	To                       param.Value[[]orb.Point]
	Depart                   param.Value[int]
	Minutes                  param.Value[[]int]
}

func newSet(rule func(*query) error) *param.Set[query] {
	return param.NewSet(rule,
		param.Latitude("lat", func(q *query) *param.Value[float64] { return &q.Lat }),
		param.Longitude("lng", func(q *query) *param.Value[float64] { return &q.Lng }),
		param.Positive("radius", 25000, 5000, func(q *query) *param.Value[float64] { return &q.Radius }),
		param.FromZero("buffer", 0, func(q *query) *param.Value[float64] { return &q.Buffer }),
		param.Count("limit", 50, 5, func(q *query) *param.Value[int] { return &q.Limit }),
		param.Choice("language", "en", []string{"en", "fr"}, func(q *query) *param.Value[string] { return &q.Language }),
		param.Phrase("name", 10, func(q *query) *param.Value[string] { return &q.Name }),
		param.Subset("colours", []string{"red", "green", "blue"}, func(q *query) *param.Value[uint64] { return &q.Colours }),
		param.Words("codes", "[A-Z]{2}_[A-Z]{2}", 3, func(q *query) *param.Value[[]string] { return &q.Codes }),
		param.Area("polygon", 100, func(q *query) *param.Value[orb.Ring] { return &q.Polygon }),
		param.Points("to", 2, func(q *query) *param.Value[[]orb.Point] { return &q.To }),
		param.Clock("depart", "08:00", func(q *query) *param.Value[int] { return &q.Depart }),
		param.Ascending("minutes", 90, 3, "15,30", func(q *query) *param.Value[[]int] { return &q.Minutes }),
	)
}

func given[T any](v T) param.Value[T] { return param.Value[T]{V: v, Given: true} }

// standard is the query without parameters, changed.
func standard(change func(*query)) query {
	q := query{
		Radius: param.Value[float64]{V: 5000}, Limit: param.Value[int]{V: 5},
		Language: param.Value[string]{V: "en"}, Depart: param.Value[int]{V: 8 * 3600}, Minutes: param.Value[[]int]{V: []int{15, 30}},
	}
	change(&q)
	return q
}

func TestAccepted(t *testing.T) {
	for raw, change := range map[string]func(*query){
		"":                             func(*query) {},
		"&&=&unknown=1&unknown=2&Lat=": func(*query) {},
		"unknown=%zz&%zz=1":            func(*query) {},
		"lat=-90&lng=180":              func(q *query) { q.Lat, q.Lng = given(-90.0), given(-180.0) },
		"lat=1e1":                      func(q *query) { q.Lat = given(10.0) },
		"l%61t=4%35.5":                 func(q *query) { q.Lat = given(45.5) },
		"radius=25000":                 func(q *query) { q.Radius = given(25000.0) },
		"radius=0.001":                 func(q *query) { q.Radius = given(0.001) },
		"buffer=0":                     func(q *query) { q.Buffer = given(0.0) },
		"to=45.5,-73.6":                func(q *query) { q.To = given([]orb.Point{{-73.6, 45.5}}) },
		"to=1,2%3B+3,4":                func(q *query) { q.To = given([]orb.Point{{2, 1}, {4, 3}}) },
		"depart=00:00":                 func(q *query) { q.Depart = given(0) },
		"depart=23:59":                 func(q *query) { q.Depart = given(86340) },
		"minutes=1,2,90":               func(q *query) { q.Minutes = given([]int{1, 2, 90}) },
		"limit=1":                      func(q *query) { q.Limit = given(1) },
		"limit=50":                     func(q *query) { q.Limit = given(50) },
		"lng=180":                      func(q *query) { q.Lng = given(-180.0) },
		"lng=-180.0":                   func(q *query) { q.Lng = given(-180.0) },
		"language=fr":                  func(q *query) { q.Language = given("fr") },
		"name=a+b%2Bc":                 func(q *query) { q.Name = given("a b+c") },
		"name=%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9": func(q *query) { q.Name = given(strings.Repeat("é", 10)) },
		"colours=":              func(*query) {},
		"colours=blue,red,blue": func(q *query) { q.Colours = given(uint64(5)) },
		"colours=red%2Cgreen":   func(q *query) { q.Colours = given(uint64(3)) },
		"codes=US_OR,CA_QC":     func(q *query) { q.Codes = given([]string{"US_OR", "CA_QC"}) },
		"codes=":                func(*query) {},
		"codes=+%09&colours=+":  func(*query) {},
		"lat=&lng=&radius=&buffer=&limit=&language=&name=&polygon=": func(*query) {},
		"colours=+red+,%20blue+":                                    func(q *query) { q.Colours = given(uint64(5)) },
		"colours=red&lat=1&colours=blue":                            func(q *query) { q.Lat, q.Colours = given(1.0), given(uint64(5)) },
		"colours=&colours=blue&colours=":                            func(q *query) { q.Colours = given(uint64(4)) },
		"colours[]=red&colours=green&colours%5B%5D=red":             func(q *query) { q.Colours = given(uint64(3)) },
		"codes=US_OR,+CA_QC&codes[]=US_WA":                          func(q *query) { q.Codes = given([]string{"US_OR", "CA_QC", "US_WA"}) },
		"limit[]=x&lat[]=1&colours[0]=x&[]=1&codes[]":               func(*query) {},
		"name=a;limit=9":                                            func(q *query) { q.Name = given("a;limit=9") },
		"name==a=":                                                  func(q *query) { q.Name = given("=a=") },
		"polygon=POLYGON((0+0,1+0,0+1,0+0))": func(q *query) {
			q.Polygon = given(orb.Ring{{0, 0}, {1, 0}, {0, 1}, {0, 0}})
		},
	} {
		var got query
		if _, err := newSet(nil).Parse(raw, &got, nil); err != nil {
			t.Errorf("%q: %v", raw, err)
		} else if want := standard(change); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, want %+v", raw, got, want)
		}
	}
}

func TestRefused(t *testing.T) {
	bad := []string{
		"lat=x", "lat=NaN", "lat=Inf", "lat=-Infinity", "lat=0x1p3", "lat=1_0", "lat=+1", "lat=1,5", "lat= 1", "lat=1e", "lat=.", "lat=--1",
		"lat=%zz", "lat=1%", "lat=1&lat=1", "lat=1&l%61t=2",
		"radius=0", "radius=-1", "radius=25000.01", "radius=1e400", "radius=NaN", "buffer=-0.1", "buffer=Inf",
		"limit=0", "limit=-1", "limit=51", "limit=1.0", "limit=1e1", "limit=+", "limit=5&limit=", "limit=&limit=5", "limit=%2B5",
		"limit=99999999999999999999", "limit=0x5", "limit=5%00",
		"language=+en", "language=EN", "language=de", "language=en,fr",
		"name=+", "name=%00", "name=%0A", "name=%ff", "name=12345678901",
		"colours=RED", "colours=red,,blue", "colours=,", "colours=red,", "colours=mauve", "colours=red;blue", "colours=red,+,blue",
		"colours=%0Ared", "colours=red&colours=mauve",
		strings.Repeat("colours=red&", 1001),
		"codes=us_or", "codes=USOR", "codes=US_OR,", "codes=US_ORX", "codes=US_OR%0A", "codes=AA_AA,BB_BB,CC_CC,DD_DD",
		"codes=AA_AA,BB_BB&codes=CC_CC&codes[]=DD_DD",
		"polygon=+", "polygon=POINT(0+0)", "polygon=POLYGON((0+0,1+0,0+1,0+1))", "polygon=" + strings.Repeat("x", 101),
		"to=1", "to=;1,2", "to=1,2;", "to=1,2,3", "to=91,0", "to=0,-181", "to=NaN,1", "to=x,y", "to=1,2;3,4;5,6", "to=1,2&to=3,4",
		"depart=8:00", "depart=24:00", "depart=08:60", "depart=08:00:00", "depart=08h00", "depart=-1:00",
		"minutes=0", "minutes=91", "minutes=15,15", "minutes=30,15", "minutes=1,2,3,4", "minutes=15.5", "minutes=%2B5",
		"minutes=99999999999999999999",
		"lat=95&limit=0", "limit=0&lat=95", // ErrBad before ErrRange
	}
	for _, raw := range bad {
		var q query
		_, err := newSet(nil).Parse(raw, &q, nil)
		if !errors.Is(err, param.ErrBad) || len(err.Error()) > 300 {
			t.Errorf("%.60q: %v, want ErrBad", raw, err)
		}
		faultOf(t, raw, err)
	}
	outside := []string{"lat=90.1", "lat=-91", "lng=180.5", "lng=-1e300", "lat=1e400", "lat=-1e999", "polygon=POLYGON((0+0,1+0,0+91,0+0))",
		"lat=95&lng=1&unknown=x"}
	for _, raw := range outside {
		var q query
		_, err := newSet(nil).Parse(raw, &q, nil)
		if !errors.Is(err, param.ErrRange) {
			t.Errorf("%q: %v, want ErrRange", raw, err)
		}
		faultOf(t, raw, err)
	}
}

// faultOf fails unless an error names a parameter of the query and a reason.
func faultOf(t *testing.T, raw string, err error) {
	t.Helper()
	var fault *param.Error
	known := func(r struct {
		Reason param.Reason
		Doc    string
	}) bool {
		return r.Reason == fault.Reason
	}
	if !errors.As(err, &fault) || !slices.ContainsFunc(param.Reasons, known) ||
		!slices.ContainsFunc(newSet(nil).Specs(),
			func(s param.Spec) bool { return s.Name == fault.Parameter && strings.Contains(err.Error(), s.Name) }) {
		t.Errorf("%.60q: %+v", raw, fault)
	}
}

func TestRuleIsJudgedBeforeRange(t *testing.T) {
	pair := newSet(func(q *query) error {
		if q.Lat.Given != q.Lng.Given {
			return param.Alone(q.Lat.Given, "lat", "lng")
		}
		return nil
	})
	for raw, want := range map[string]error{"lat=95": param.ErrBad, "lat=95&lng=1": param.ErrRange, "lat=1&lng=1": nil} {
		var q query
		if _, err := pair.Parse(raw, &q, nil); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", raw, err, want)
		}
	}
}

func TestErrorsQuoteTheValue(t *testing.T) {
	for raw, want := range map[string]string{
		"lat=1e400":    `lat is "1e400", it must be from -90 to 90`,
		"lng=-1e999":   `lng is "-1e999", it must be from -180 to 180`,
		"radius=1e400": `radius is "1e400", it must be above 0 and at most 25000`,
	} {
		if _, err := newSet(nil).Parse(raw, new(query), nil); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", raw, err, want)
		}
	}
}

func TestRequired(t *testing.T) {
	set := param.NewSet(nil, param.Count("limit", 9, 1, func(q *query) *param.Value[int] { return &q.Limit }).Required())
	var q query
	for _, raw := range []string{"limits=3", "limit=", "limit[]=3"} {
		if _, err := set.Parse(raw, &q, nil); !errors.Is(err, param.ErrBad) || err.Error() != "limit is required" {
			t.Errorf("%s: %v", raw, err)
		}
	}
	if !set.Specs()[0].Required {
		t.Fatal("the declaration does not say so")
	}
}

// TestCanonical draws pairs of queries: they must have the same canonical form exactly if they have equal values.
func TestCanonical(t *testing.T) {
	set := newSet(nil)
	form := func(t *rapid.T, raw string) string {
		var q query
		canonical, err := set.Parse(raw, &q, []byte("x"))
		if err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		return string(canonical)
	}
	values := map[string][]string{
		"lat": {"1", "2.5"}, "limit": {"3", "4"}, "name": {"a b", "é&=", "c"}, "codes": {"US_OR", "US_OR,CA_QC", "US_OR, CA_QC", ""},
	}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) (map[string]string, string) {
			chosen := map[string]string{}
			var parts []string
			for _, name := range rapid.Permutation([]string{"lat", "limit", "name", "codes", "other"}).Draw(t, label+" order") {
				options := append([]string{"absent"}, values[name]...)
				value := rapid.SampledFrom(options).Draw(t, label+" "+name)
				if value == "absent" {
					parts = append(parts, "noise"+name+"=1")
					continue
				}
				if value != "" { // an empty value is absent
					chosen[name] = strings.ReplaceAll(value, ", ", ",")
				}
				parts = append(parts, name+"="+url.QueryEscape(value))
			}
			return chosen, strings.Join(parts, "&")
		}
		first, rawFirst := draw("first")
		second, rawSecond := draw("second")
		if same := reflect.DeepEqual(first, second); same != (form(t, rawFirst) == form(t, rawSecond)) {
			t.Fatalf("%q and %q: equal values %v, canonical forms %q and %q", rawFirst, rawSecond, same, form(t, rawFirst), form(t, rawSecond))
		}
	})
}

// TestCanonicalIsUnambiguous uses values with the bytes of which the canonical form itself consists.
func TestCanonicalIsUnambiguous(t *testing.T) {
	free := func(at func(*query) *param.Value[[]string], name string) *param.Param[query] {
		return param.Words(name, "[^,]+", 10, at)
	}
	set := param.NewSet(nil, free(func(q *query) *param.Value[[]string] { return &q.Codes }, "brands"),
		param.Phrase("tags", 10, func(q *query) *param.Value[string] { return &q.Name }))
	one, err := set.Parse("brands=starbucks%00%02chain", new(query), nil)
	if !errors.Is(err, param.ErrBad) {
		t.Errorf("control characters: %v", err)
	}
	two, err := set.Parse("brands=starbucks&tags=chain", new(query), nil)
	if err != nil || string(one) == string(two) {
		t.Errorf("%q is the form of two queries: %v", one, err)
	}
	if _, err := set.Parse("brands=%ff", new(query), nil); !errors.Is(err, param.ErrBad) {
		t.Errorf("no UTF-8: %v", err)
	}
}

func TestParseKeepsNothing(t *testing.T) {
	set := newSet(nil)
	var q query
	raw := "lat=45.2&lng=-72.8&limit=5&unknown=1"
	buffer := make([]byte, 0, 256)
	if allocs := testing.AllocsPerRun(100, func() {
		q = query{}
		if _, err := set.Parse(raw, &q, buffer[:0]); err != nil {
			t.Fatal(err)
		}
	}); allocs > 0 {
		t.Errorf("a plain query takes %v allocations", allocs)
	}
}

func FuzzParse(f *testing.F) {
	for _, raw := range []string{"lat=1&lng=2", "lat=1&lat=2", "name=%zz", "codes=US_OR,,", "polygon=POLYGON((0+0,1+0,0+1,0+0))", "lat=1e999",
		"%6cat=1", "codes=US_OR,+CA_QC&codes[]=&codes=US_WA", "limit=&limit[]=5"} {
		f.Add(raw)
	}
	set := newSet(nil)
	f.Fuzz(func(t *testing.T, raw string) {
		var q query
		_, err := set.Parse(raw, &q, nil)
		if err != nil {
			if !errors.Is(err, param.ErrBad) && !errors.Is(err, param.ErrRange) {
				t.Fatalf("%q: %v is of no kind", raw, err)
			}
			return
		}
		if !(math.Abs(q.Lat.V) <= 90) || !(math.Abs(q.Lng.V) <= 180) || !(q.Radius.V > 0 && q.Radius.V <= 25000) ||
			!(q.Buffer.V >= 0) || math.IsInf(q.Buffer.V, 0) || q.Limit.V < 1 || q.Limit.V > 50 || len(q.Codes.V) > 3 {
			t.Fatalf("%q gave %+v", raw, q)
		}
	})
}

// TestListsAgainstModel compares drawn queries with a slow reading of them: url.ParseQuery, then the union of all items.
func TestListsAgainstModel(t *testing.T) {
	colours := []string{"red", "green", "blue"}
	keys := []string{"colours", "colours[]", "colours%5B%5D", "col%6furs", "limit", "limit[]", "x"}
	values := []string{"", "red", "+green", "blue+", "red,green", "red,+blue", "%09", "red%2Cblue", "5", "red,,blue", "mauve"}
	rapid.Check(t, func(t *rapid.T) {
		var pairs []string
		for range rapid.IntRange(0, 5).Draw(t, "pairs") {
			pairs = append(pairs, rapid.SampledFrom(keys).Draw(t, "key")+"="+rapid.SampledFrom(values).Draw(t, "value"))
		}
		raw := strings.Join(pairs, "&")
		plain, err := url.ParseQuery(raw)
		if err != nil {
			t.Fatal(err)
		}
		var want uint64
		bad := len(plain["limit"]) > 1 || len(plain["limit"]) == 1 && plain["limit"][0] != "" && plain["limit"][0] != "5"
		for _, list := range append(plain["colours"], plain["colours[]"]...) {
			if strings.TrimSpace(list) == "" {
				continue
			}
			for _, item := range strings.Split(list, ",") {
				i := slices.Index(colours, strings.TrimSpace(item))
				bad = bad || i < 0
				want |= 1 << max(i, 0)
			}
		}
		var got query
		_, err = newSet(nil).Parse(raw, &got, nil)
		if bad != (err != nil) || !bad && (got.Colours.V != want || got.Colours.Given != (want != 0)) {
			t.Fatalf("%q: %+v, %v, want %b, bad %v", raw, got.Colours, err, want, bad)
		}
	})
}
