package geojson

import (
	"errors"
	"io"
	"strings"
	"testing"

	"quartier/ingest/source"
	"quartier/internal/testenv"
)

// TestMemoryIsBounded reads values without end. Each is refused with its number or position before it takes more memory
// than the largest feature may.
func TestMemoryIsBounded(t *testing.T) {
	limits := source.Limits{FeatureBytes: 2 << 20}
	feature := `{"type":"Feature","properties":{},"geometry":null}`
	for _, tt := range []struct{ name, begin, rest, says string }{
		{"text", `{"type":"FeatureCollection","features":[` + feature + `,{"properties":{"a":"`, "x",
			"feature 2 has more than 2097152 bytes, which limits: {feature_bytes: …}"},
		{"coordinates", `{"type":"FeatureCollection","features":[{"geometry":{"coordinates":[`, "[1,2],", "feature 1 has more than"},
		{"nesting", `{"type":"FeatureCollection","features":[`, "[", "exceeded max depth"},
		{"blanks", `{"type":"FeatureCollection","features":[`, " ", "bytes"},
		{"another member", `{"type":"FeatureCollection","name":"`, "x", "the value at byte 35 has more than 2097152 bytes"},
		{"name of a member", `{"`, "x", "the value at byte 1 has more than"},
		{"first line", feature + "\n" + `{"id":"`, "x", "feature 2 has more than"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var err error
			used := testenv.Allocated(func() {
				r := NewReader(io.MultiReader(strings.NewReader(tt.begin), io.LimitReader(testenv.Endless(tt.rest), 1<<30)), limits)
				for err == nil {
					_, err = r.Next()
				}
			})
			if !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v, want one with %q", err, tt.says)
			}
			if used > 16<<20 {
				t.Errorf("%d MB were allocated", used>>20)
			}
		})
	}
}

// TestLimitCanBeRaised reads a feature that is as large as the limit, and one that is larger.
func TestLimitCanBeRaised(t *testing.T) {
	feature := `{"type":"Feature","properties":{"a":"` + strings.Repeat("x", 3<<20) + `"},"geometry":null}`
	text := `{"type":"FeatureCollection","features":[` + feature + "]}"
	if _, err := NewReader(strings.NewReader(text), source.Limits{FeatureBytes: int64(len(feature)) - 1}).Next(); !errors.Is(err,
		source.ErrTooLarge) {
		t.Errorf("error %v", err)
	}
	for _, limits := range []source.Limits{{}, {FeatureBytes: int64(len(feature)) + 1}} {
		r := NewReader(strings.NewReader(text), limits)
		if f, err := r.Next(); err != nil || len(f.Properties) < 3<<20 {
			t.Errorf("%+v: %d bytes, %v", limits, len(f.Properties), err)
		}
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("%+v: %v at the end", limits, err)
		}
	}
}
