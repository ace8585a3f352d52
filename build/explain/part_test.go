package explain

import (
	"math"
	"testing"

	"quartier/internal/rating"
	"quartier/internal/wording"
)

// Nothing counts for an unknown part of a value that is absent.
func TestUnknownParts(t *testing.T) {
	for _, tt := range []struct {
		part   rating.Part
		served bool
		want   string
	}{
		{rating.Part{Weight: .6}, true, "no data; the other parts count for it"},
		{rating.Part{Weight: .6}, false, "no data"},
		{rating.Part{Weight: .6, Estimated: true}, true, "no data"},
		{rating.Part{}, true, ""},
	} {
		tt.part.Name, tt.part.Value = "access", math.NaN()
		if got := newPart(wording.English, tt.part, nil, tt.served).Of; got != tt.want {
			t.Errorf("%+v, served %v: %q, not %q", tt.part, tt.served, got, tt.want)
		}
	}
}
