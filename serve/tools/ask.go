package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"quartier/serve/coding"
	"quartier/serve/endpoint"
	"quartier/serve/scope"
)

// tool is a tool over endpoints of a product.
type tool struct {
	name, title, doc string
	takes            string // arguments, separated by spaces
	product          string // of which the sources are cited
	byPoint, byID    *endpoint.Endpoint
	names            bool // of byPoint: a name is taken in place of the point
}

// inputOf is the schema of the arguments of a tool.
func inputOf(t *tool) (*jsonschema.Schema, error) {
	input, err := jsonschema.For[args](nil)
	if err != nil {
		return nil, err
	}
	input.PropertyOrder = strings.Fields(t.takes)
	for name, property := range input.Properties {
		if !slices.Contains(input.PropertyOrder, name) {
			delete(input.Properties, name)
		}
		if n := len(property.Types); n > 0 { // of what may be left out: "null" and its type, which clients take for no number
			property.Type, property.Types = property.Types[n-1], nil
		}
		if property.Items != nil {
			property = property.Items
		}
		for _, word := range vocabularies[name] {
			property.Enum = append(property.Enum, word)
		}
	}
	switch {
	case t.names:
	case t.byID == nil:
		input.Required = []string{"lat", "lng"}
	case t.byPoint == nil:
		input.Required = []string{"geog_id"}
	}
	return input, nil
}

// add adds a tool whose answer fill makes of the API's, which is its zero value where the API has nothing; it returns notes.
func add[API, Out any](s *server, to *mcp.Server, t *tool, fill func(context.Context, *args, *API, *Out) ([]string, error)) {
	type answer struct {
		Data Out `json:"data"`
		cited
	}
	input, err := inputOf(t)
	output, outErr := jsonschema.For[answer](nil)
	if err := errors.Join(err, outErr); err != nil {
		panic(err) // impossible: types of this package
	}
	closed := false
	mcp.AddTool(to, &mcp.Tool{Name: t.name, Title: t.title, Description: t.doc, InputSchema: input, OutputSchema: output,
		Annotations: &mcp.ToolAnnotations{Title: t.title, ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed},
	}, func(ctx context.Context, _ *mcp.CallToolRequest, a args) (_ *mcp.CallToolResult, out any, err error) {
		debug.SetPanicOnFault(true) // reading a mapped pack that was truncated fails a call, not the process
		defer func() {
			if p := recover(); p != nil {
				s.Log.Error("panic in a tool", "tool", t.name, "panic", p, "stack", string(debug.Stack()))
				err = errors.New("the program failed, and its log says why: try other arguments")
			}
		}()
		var of API
		var result answer
		if err := t.check(&a); err != nil {
			return nil, nil, err
		}
		if err := s.ask(ctx, t, &a, &of); err != nil {
			return nil, nil, err
		}
		notes, err := fill(ctx, &a, &of, &result.Data)
		if err != nil {
			return nil, nil, err
		}
		result.cited = s.cite(append(a.products, t.product), s.statesOf(ctx, &a), notes)
		out, err = cleaned(result)
		return nil, out, err
	})
}

// query is that of the API. Endpoints ignore the parameters of others.
func (a *args) query() url.Values {
	q := url.Values{}
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	if a.Lat != nil && a.Query == "" {
		q.Set("lat", number(*a.Lat))
		q.Set("lng", number(*a.Lng))
	}
	if a.RadiusM != nil {
		q.Set("radius", number(*a.RadiusM))
	}
	if a.Limit != nil {
		q.Set("limit", strconv.Itoa(*a.Limit))
	}
	for name, value := range map[string]string{"name": a.Query, "language": a.Language, "locale": a.Language,
		"include": strings.Join(a.Scores, ","), "categories": strings.Join(a.Categories, ","),
		"property_types": strings.Join(a.PropertyTypes, ","), "intervals": strings.Join(a.Intervals, ",")} {
		if value != "" {
			q.Set(name, value)
		}
	}
	q.Set("include_catchments", "true")
	if len(a.PropertyTypes) == 0 {
		q.Set("property_types", "all_residential_properties")
	}
	if len(a.Intervals) == 0 {
		q.Set("intervals", "30d,12m")
	}
	return q
}

// ask decodes the answer of the API into a value of its type, which stays as it is where there is nothing to answer.
func (s *server) ask(ctx context.Context, t *tool, a *args, into any) error {
	e, q := t.byPoint, a.query()
	if a.GeogID != "" {
		e = t.byID
	}
	if t.names {
		q.Del("include") // has another meaning there
	}
	r := endpoint.Request{Client: &s.client, RawQuery: q.Encode(), Segment: a.GeogID}
	s.open(ctx, &r.Release)
	var err error
	if e.Levels != nil {
		err = r.Release.CheckLevel(a.GeogID, e.Levels)
	}
	if err == nil {
		err = e.Answer(&r)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, endpoint.ErrNothing):
		return nil
	case errors.Is(err, scope.ErrNoGeography):
		return fmt.Errorf("%w: take a geog_id that search returned", err)
	case errors.Is(err, scope.ErrOutside):
		return fmt.Errorf("%w: choose a point in a region of this release", err)
	case err != nil:
		return err
	}
	return json.Unmarshal(bytes.Join(coding.Plain(r.Body, r.Inserts, nil), nil), into)
}

// open opens the release as the operator sees it, without private geographies.
func (s *server) open(ctx context.Context, r *scope.Release) {
	r.Open(s.Release, "", nil)
	r.Stop = func() bool { return ctx.Err() != nil }
}

// cleaned is a value as JSON has it, with clean texts; numbers keep their digits.
func cleaned(value any) (out any, err error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err = decoder.Decode(&out)
	return cleanAll(out), err
}

func cleanAll(value any) any {
	switch v := value.(type) {
	case string:
		return clean(v)
	case []any:
		for i := range v {
			v[i] = cleanAll(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = cleanAll(v[name])
		}
	}
	return value
}

// mostChars limits a text.
const mostChars = 1000

// clean is a text without control and formatting characters, such as those that turn the direction of what follows.
func clean(text string) string {
	text = strings.Map(func(c rune) rune {
		if unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) {
			return -1
		}
		return c
	}, text)
	if runes := []rune(text); len(runes) > mostChars {
		text = string(runes[:mostChars]) + "…"
	}
	return text
}
