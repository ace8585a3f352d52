package geojson

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"quartier/ingest/source"
)

// told is a sink that notes what it is told of features.
type told struct {
	source.Sink
	read   int
	issues []string
}

func (s *told) Read(n int) { s.read += n }
func (s *told) Issue(severity source.Severity, reason, where string) {
	s.issues = append(s.issues, fmt.Sprintf("%s: %s @ %s", severity, reason, where))
}

func TestEach(t *testing.T) {
	const text = `{"features":[{"id":"a"},1,{"id":"b"}]}`
	var sink told
	var got []string
	visit := func(f Feature, where string) error {
		got = append(got, f.ID+" @ "+where)
		return nil
	}
	if err := NewReader(strings.NewReader(text)).Each(t.Context(), "f", &sink, visit); err != nil {
		t.Fatal(err)
	}
	if want := []string{"a @ f feature 1", "b @ f feature 3"}; !reflect.DeepEqual(got, want) {
		t.Errorf("visited %q, want %q", got, want)
	}
	if want := []string{"rejected: not a feature @ f feature 2"}; sink.read != 3 || !reflect.DeepEqual(sink.issues, want) {
		t.Errorf("%d read, issues %q", sink.read, sink.issues)
	}
}

func TestEachStops(t *testing.T) {
	const text = `{"features":[{"id":"a"},{"id":"b"}]}`
	full := errors.New("full")
	for _, test := range []struct {
		name, text string
		visit      error
		want       error
		visits     int
	}{
		{"visit fails", text, full, full, 1},
		{"the file ends", text[:len(text)-3], nil, source.ErrBadFile, 1},
		{"cancelled", text, nil, context.Canceled, 1},
	} {
		visits := 0
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		err := NewReader(strings.NewReader(test.text)).Each(ctx, "f", &told{}, func(Feature, string) error {
			visits++
			if test.want == context.Canceled {
				cancel()
			}
			return test.visit
		})
		if !errors.Is(err, test.want) || visits != test.visits {
			t.Errorf("%s: %d visits, %v", test.name, visits, err)
		}
	}
}

func TestValues(t *testing.T) {
	values, err := Feature{Properties: json.RawMessage(`{"a":"x","b":1.50,"c":true,"d":null,"e":{},"f":[1]}`)}.Values()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a": "x", "b": "1.50", "c": "true", "d": "", "e": "", "f": "", "g": ""} {
		if got := Text(values[name]); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if values, err := (Feature{}).Values(); len(values) != 0 || err != nil {
		t.Errorf("without properties: %v, %v", values, err)
	}
}
