package geojson

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
)

func TestEach(t *testing.T) {
	const text = `{"features":[{"id":"a"},1,{"id":"b"}]}`
	var sink sourcetest.Record
	var got []string
	visit := func(f Feature, where string) error {
		got = append(got, f.ID+" @ "+where)
		return nil
	}
	if err := NewReader(strings.NewReader(text), source.Limits{}).Each(t.Context(), "f", &sink, visit); err != nil {
		t.Fatal(err)
	}
	if want := []string{"a @ f feature 1", "b @ f feature 3"}; !reflect.DeepEqual(got, want) {
		t.Errorf("visited %q, want %q", got, want)
	}
	if want := []string{"malformed_record @ f feature 2"}; sink.Count != 3 || !reflect.DeepEqual(sink.Issues, want) {
		t.Errorf("%d read, issues %q", sink.Count, sink.Issues)
	}
}

func TestEachStops(t *testing.T) {
	const text = `{"features":[{"id":"a"},{"id":"b"}]}`
	full := errors.New("full")
	for _, test := range []struct {
		name, text string
		visit      error
		want       error
	}{
		{"visit fails", text, full, full},
		{"the file ends", text[:len(text)-3], nil, source.ErrBadFile},
		{"cancelled", text, nil, context.Canceled},
	} {
		visits := 0
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		err := NewReader(strings.NewReader(test.text), source.Limits{}).Each(ctx, "f", &sourcetest.Record{}, func(Feature, string) error {
			visits++
			if test.want == context.Canceled {
				cancel()
			}
			return test.visit
		})
		if !errors.Is(err, test.want) || visits != 1 {
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
