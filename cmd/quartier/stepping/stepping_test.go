package stepping

import (
	"errors"
	"strings"
	"testing"

	"quartier/cmd/quartier/pipeline"
	"quartier/internal/plan"
)

// TestFirstRecordStays records attempts of a step: the first stays, others have to have its content.
func TestFirstRecordStays(t *testing.T) {
	p, err := openPlace(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a := &attempt{place: p}
	made := func(n int, change func(*record)) *record {
		r := &record{ID: "transform.a", Inputs: "00ff", Attempt: n, Outputs: []output{{"a.duckdb", "01", 4, "rows"}, {"b", "02", 4, ""}}}
		change(r)
		return r
	}
	for n, tt := range []struct {
		want   string // of the error; "": none
		change func(*record)
	}{
		{"", func(*record) {}},
		{"", func(r *record) { r.Outputs[0].SHA256, r.Seconds = "03", 7 }}, // other bytes of the same rows
		{"a.duckdb: rows and others", func(r *record) { r.Outputs[0].Content = "others" }},
		{"b: 02 and 03", func(r *record) { r.Outputs[1].SHA256 = "03" }},
		{"the list of files", func(r *record) { r.Outputs = r.Outputs[:1] }},
		{"notes", func(r *record) { r.Notes = []string{"a note"} }},
		{"release:  and 04", func(r *record) { r.Release = "04" }},
	} {
		err := a.record(t.Context(), made(n+1, tt.change))
		if tt.want == "" && err != nil || tt.want != "" && (!errors.Is(err, ErrDiffers) || !strings.Contains(err.Error(), tt.want) ||
			!strings.Contains(err.Error(), "step transform.a, attempts 1 and ")) {
			t.Errorf("attempt %d: %v, want %q", n+1, err, tt.want)
		}
		if first, err := p.recorded(t.Context(), "transform.a", "00ff"); err != nil || first.Attempt != 1 {
			t.Errorf("%+v, %v", first, err)
		}
	}
}

func TestNearIDs(t *testing.T) {
	a := &attempt{}
	for _, id := range []string{"ingest.us-or", "transform.us-or", "write.pois", "write.schools", "verify"} {
		s := plan.Step{ID: id}
		s.Stage, s.Region, _ = strings.Cut(id, ".")
		a.parts = append(a.parts, pipeline.Part{Step: s})
	}
	for id, want := range map[string]string{
		"pois": "write.pois", "ingest.us-wa": "ingest.us-or", "derive.us-or": "ingest.us-or transform.us-or",
		"write.poi": "write.pois write.schools", "x": "", "../verify": "", "": "",
	} {
		err := a.find(id)
		_, near, _ := strings.Cut(err.Error(), "; near it:")
		if near = strings.TrimSpace(near); !errors.Is(err, ErrUnknown) || near != want {
			t.Errorf("%q: %v, want %q", id, err, want)
		}
	}
}
