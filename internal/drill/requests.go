package drill

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"quartier/serve/servetest"
)

// Request is a drawn request.
type Request struct {
	operation      string // METHOD /path
	Method, Target string
	Body           string
	headers        []string
	invalid        string // parameter with a value that its schema does not allow; "": none
}

// Drawer draws requests from the paths and parameters of the document.
type Drawer struct {
	*Contract
	Random     *rand.Rand
	operations []string // METHOD /path, sorted
	all        map[string]*openapi3.Operation
	made       []string // ids of custom geographies that were created
}

// NewDrawer draws from a source of random numbers.
func NewDrawer(c *Contract, random *rand.Rand) *Drawer {
	d := &Drawer{Contract: c, Random: random, all: c.Operations()}
	d.operations = slices.DeleteFunc(slices.Sorted(maps.Keys(d.all)), func(name string) bool { return !strings.Contains(name, " /v3/") })
	return d
}

// Draw draws a request. At most one of its parameters has a value that its schema does not allow.
func (d *Drawer) Draw(valid bool) Request {
	name := Pick(d.Random, d.operations)
	if !strings.HasPrefix(name, "GET ") && d.Random.IntN(20) > 0 { // writes are few, because they stay
		name = "GET /v3/geographies"
	}
	operation := d.all[name]
	r := Request{operation: name}
	r.Method, r.Target, _ = strings.Cut(name, " ")
	values := url.Values{}
	broken := -1
	if !valid && len(operation.Parameters) > 0 && d.Random.IntN(3) == 0 {
		broken = d.Random.IntN(len(operation.Parameters))
	}
	for i, ref := range operation.Parameters {
		p := ref.Value
		value, bad := "", false
		if i == broken {
			value, bad = d.invalid(p)
		}
		if !bad {
			value = d.valid(p)
		}
		switch {
		case p.In == "path":
			r.Target = strings.Replace(r.Target, "{"+p.Name+"}", url.PathEscape(value), 1)
			bad = bad && value != ""
		case p.In == "header":
			if d.Random.IntN(10) == 0 {
				r.headers = append(r.headers, p.Name+": "+value)
			}
			bad = false
		case bad || d.given(p.Name):
			values.Add(p.Name, value)
		}
		if bad {
			r.invalid = p.Name + "=" + value
		}
	}
	if d.Random.IntN(20) == 0 {
		values.Add("unknown", "1")
	}
	if len(values) > 0 {
		r.Target += "?" + values.Encode()
	}
	if operation.RequestBody != nil {
		r.Body, r.headers = d.content(), append(r.headers, "Content-Type: application/json")
	}
	return r
}

// given reports whether a request has a parameter: points mostly, others now and then.
func (d *Drawer) given(name string) bool {
	switch name {
	case "lat", "lng", "include":
		return d.Random.IntN(8) > 0
	case "polygon", "name":
		return d.Random.IntN(6) == 0
	}
	return d.Random.IntN(3) == 0
}

// valid draws a value that the schema of a parameter allows, which may still be one of nothing.
func (d *Drawer) valid(p *openapi3.Parameter) string {
	schema := p.Schema.Value
	switch {
	case p.Name == "lat":
		return decimal(Pick(d.Random, []float64{servetest.NorthLat, servetest.SouthLat}) + 0.2*d.Random.NormFloat64())
	case p.Name == "lng":
		return decimal(servetest.Lng + 0.2*d.Random.NormFloat64())
	case p.Name == "polygon":
		return polygonText(convex(d.Random, servetest.Lng, Pick(d.Random, []float64{servetest.NorthLat, servetest.SouthLat}), 0.05))
	case p.Name == "geog_id":
		return Pick(d.Random, []string{servetest.NorthCity, servetest.NorthOld, servetest.SouthOld, servetest.SouthCity, servetest.Metro,
			servetest.Canada, servetest.Replaced,
			servetest.Gone, servetest.FarAway, servetest.Unpopulated, privatePlaces()[0].ID, "g10_nosuchone0"})
	case p.Name == "geo_entity_id":
		return Pick(d.Random, append(d.made, "00000000-0000-0000-0000-000000000000"))
	case p.Name == "geohash":
		return Pick(d.Random, []string{servetest.NorthCell, servetest.SouthCell, servetest.WildCell, "s000000"})
	case p.Name == "geography_ids":
		return servetest.NorthOld + "," + Pick(d.Random, []string{servetest.SouthOld, servetest.Replaced, "g10_nosuchone0"})
	case p.Name == "name" || p.Name == "search":
		return Pick(d.Random, []string{"old north", "Villenord", "vieux", "Southville, Vermont", "Northvile", "secret", "é", "'; DROP TABLE x",
			"a b c d e"})
	case p.Name == "intervals":
		return Pick(d.Random, []string{"30d,60d", "12m", "2023-12", "2023Q4", "13-24m"})
	case p.Name == "location_codes":
		return Pick(d.Random, []string{"CA_QC", "US_VT", "CA_QC,US_VT", "CA_ON"})
	}
	return d.of(schema)
}

// of draws a value of a schema.
func (d *Drawer) of(s *openapi3.Schema) string {
	switch {
	case len(s.Enum) > 0:
		return fmt.Sprint(Pick(d.Random, s.Enum))
	case s.Type.Is("array"):
		var items []string
		for range 1 + d.Random.IntN(3) {
			items = append(items, d.of(s.Items.Value))
		}
		return strings.Join(items, ",")
	case s.Type.Is("boolean"):
		return Pick(d.Random, []string{"true", "false"})
	case s.Type.Is("integer"):
		return strconv.Itoa(1 + d.Random.IntN(int(min(*s.Max, 100))))
	case s.Type.Is("number"):
		most := 20_000.0
		if s.Max != nil {
			most = *s.Max
		}
		return decimal(1 + d.Random.Float64()*(most-1))
	}
	return Pick(d.Random, []string{"maple_cup", "coffee", "chain", `"x"`, "*"})
}

// invalid draws a value that the schema of a parameter does not allow. There is none for some.
func (d *Drawer) invalid(p *openapi3.Parameter) (value string, bad bool) {
	schema := p.Schema.Value
	item := schema
	if schema.Type.Is("array") {
		item = schema.Items.Value
	}
	switch {
	case p.In == "path":
		return Pick(d.Random, []string{"nonsense", "g99_aaaaaaaaaa", strings.Repeat("g", 300), "g10", "%00", "é"}), true
	case p.Name == "polygon":
		text, _, _ := Malformed(d.Random, servetest.Lng, servetest.NorthLat)
		return text, true
	case schema.Type.Is("number") || schema.Type.Is("integer"):
		bad := []string{"NaN", "x", "1e400", "0x1", "--1", "1,2", "4_5", "1 2", "Infinity", strings.Repeat("9", 400)}
		if schema.Max != nil {
			bad = append(bad, decimal(*schema.Max+1))
		}
		if schema.Min != nil {
			bad = append(bad, decimal(*schema.Min-1))
		}
		return Pick(d.Random, bad), true
	case schema.Type.Is("boolean"):
		return Pick(d.Random, []string{"maybe", "2", "truee"}), true
	case len(item.Enum) > 0 || p.Name == "intervals" || p.Name == "location_codes":
		value = Pick(d.Random, []string{"nonsense", "\x00", "-1", "99999999999999999999", strings.Repeat("x", 3000)})
		if item != schema && d.Random.IntN(2) == 0 {
			value = d.valid(p) + "," + value
		}
		return value, true
	case schema.MaxLength != nil && p.In == "query":
		return strings.Repeat("é", int(*schema.MaxLength)+1+d.Random.IntN(50)), true
	}
	return "", false
}

// content draws the body of a custom geography, good or bad.
func (d *Drawer) content() string {
	shape := polygonText(convex(d.Random, servetest.Lng, servetest.NorthLat, 0.05))
	body := fmt.Sprintf(`{"name_en":"Drawn %d","type":"NEIGHBOURHOOD","boundaries":%q}`, d.Random.IntN(1000), shape)
	switch d.Random.IntN(8) {
	case 0:
		return body[:d.Random.IntN(len(body))]
	case 1:
		text, _, _ := Malformed(d.Random, servetest.Lng, servetest.NorthLat)
		return fmt.Sprintf(`{"name_en":"x","type":"NEIGHBOURHOOD","boundaries":%q}`, text)
	case 2:
		return Pick(d.Random, []string{"", "null", "[]", "{}", `{"name_en":1}`, body + body, strings.Repeat("[", 10_000), `{"type":"PLANET"}`})
	}
	return body
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Requests sends requests that are drawn from the paths and parameters of the OpenAPI document: none may cause an internal
// error, every answer must be what the document describes, and no value that a schema does not allow may be accepted. It returns
// how many there were, by status.
func Requests(r *Run, wrap Wrap) (n int, statuses map[int]int) {
	s := r.StartWorld(wrap)
	d := NewDrawer(NewContract(r, []byte(s.Get("", "/openapi.json").Body)), r.Random)
	accounts := []string{"full", "full", "full", "full", "acme", "quebec", "us", "pois", ""}
	statuses = map[int]int{}
	for ; n == 0 || r.More(n); n++ {
		drawn := d.Draw(false)
		got := s.Call(Pick(r.Random, accounts), drawn.Method, drawn.Target, drawn.Body, append(drawn.headers, from(r.Random))...)
		statuses[got.Status]++
		d.check(r, drawn.Method, drawn.Target, got)
		if drawn.invalid != "" && got.Status < 400 {
			r.Fatalf("%s %.300s: %d although %.100q is not allowed", drawn.Method, drawn.Target, got.Status, drawn.invalid)
		}
		if drawn.operation == "POST /v3/geographies/custom" && got.Status < 300 && len(d.made) < 100 {
			d.made = append(d.made, memberOf(got.Body, "geo_entity_id"))
		}
	}
	return n, statuses
}

// memberOf is the value of the first member of a name in a body of JSON; "" if there is none.
func memberOf(body, name string) string {
	_, rest, _ := strings.Cut(body, `"`+name+`":"`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// UnknownMembers is a planted fault: one of a hundred answers of 200 has a member that the document does not.
func UnknownMembers(right http.Handler) http.Handler {
	n := 0
	return altering(right, func(a *Answer) {
		if a.Status != http.StatusOK || !strings.HasPrefix(a.Body, `{"data":`) {
			return
		}
		if n++; n%100 == 0 {
			a.Body = `{"leak":1,` + a.Body[1:]
		}
	})
}

// Lenient is a planted fault: one of a hundred requests that are refused by 400 is answered as the one before it was.
func Lenient(right http.Handler) http.Handler {
	n := 0
	return altering(right, func(a *Answer) {
		if a.Status != http.StatusBadRequest {
			return
		}
		if n++; n%100 == 0 {
			*a = Answer{Status: http.StatusNoContent, Header: http.Header{}}
		}
	})
}
