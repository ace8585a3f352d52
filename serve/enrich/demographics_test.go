package enrich

import (
	"slices"
	"testing"

	"quartier/internal/demography"
)

// TestBoundsHaveAColumn fills a row with a median in an open bin, and one with figures alone.
func TestBoundsHaveAColumn(t *testing.T) {
	columns := new(Choice).people("", inShape)
	if len(columns) != peopleWidth {
		t.Fatalf("%d columns, not %d", len(columns), peopleWidth)
	}
	place := slices.IndexFunc(columns, func(c Column) bool { return c.Name == "inc_home" })
	if columns[place+1].Name != "inc_home_open" || columns[place+1].Kind != Text {
		t.Fatalf("beside inc_home is %+v", columns[place+1])
	}
	out := make([]vector, len(columns))
	for i := range out {
		out[i].grow(columns[i].Kind, 2)
	}
	var figures demography.Figures
	for i := range figures {
		figures[i] = uint32(i)
	}
	fillFigures(&figures, 0, out)
	n := 0
	for i, c := range columns {
		if c.Kind != Text {
			if out[i].numbers[0] != int64(n) {
				t.Errorf("%s is %d, want %d", c.Name, out[i].numbers[0], n)
			}
			n++
		} else if out[i].texts[0] != "" {
			t.Errorf("%s is %q", c.Name, out[i].texts[0])
		}
	}
	figures[out[place].numbers[0]] |= demography.OpenUpper
	fillFigures(&figures, 1, out)
	if got := out[place].numbers[1]; got != out[place].numbers[0] || out[place+1].texts[1] != "upper" {
		t.Errorf("%d, %q", got, out[place+1].texts[1])
	}
}
