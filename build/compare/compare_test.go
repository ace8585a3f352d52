package compare

import (
	"database/sql"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quartier/schemas"
	"quartier/schemas/reason"
)

func number(v float64) sql.NullFloat64 { return sql.NullFloat64{Float64: v, Valid: true} }

func TestDifference(t *testing.T) {
	for _, tt := range []struct {
		group        Figures
		older, newer float64
		want         float64
	}{
		{Scores, 30000, 27500, -0.25},
		{Measures, 0, 50000, 5},
		{Shares, 0.25, 0.5, 25},
		{Variables, 400, 407.2, 1.8},
		{Variables, 400, 0, -100},
		{Variables, 0, 0, 0},
		{Variables, 0, 3, math.Inf(1)},
	} {
		if got := difference(tt.group, tt.older, tt.newer); math.Abs(got-tt.want) > 1e-9 && got != tt.want {
			t.Errorf("%v → %v of group %d: %v, want %v", tt.older, tt.newer, tt.group, got, tt.want)
		}
	}
}

// TestQuantiles compares them with their definition: the largest difference that no more than the share of the others are
// below.
func TestQuantiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.IntRange(-3000, 3000), 1, 60).Draw(t, "differences")
		all := figures{}
		key := figureKey{Variables, schemas.County, population}
		for _, v := range values {
			all.add(key, number(1000), number(1000+float64(v)))
		}
		all.add(key, sql.NullFloat64{}, number(1))
		got := all.list()[0]
		want := FigureChange{Group: Variables, Level: schemas.County, Figure: population, Known: int64(len(values)), Gained: 1}
		for i, share := range Quantiles {
			best := math.Inf(-1)
			for _, v := range values {
				below := 0
				for _, other := range values {
					if other < v {
						below++
					}
				}
				if float64(below) <= share*float64(len(values)-1) {
					best = max(best, float64(v)/10)
				}
			}
			want.Quantiles[i] = best
		}
		for _, v := range values {
			if v >= 10 || v <= -10 {
				want.Moved++
			}
		}
		for i := range got.Quantiles {
			if math.Abs(got.Quantiles[i]-want.Quantiles[i]) < 1e-9 {
				got.Quantiles[i] = want.Quantiles[i]
			}
		}
		if got != want {
			t.Fatalf("%+v, want %+v", got, want)
		}
	})
}

func TestTextListsWhatChangedMost(t *testing.T) {
	all := figures{}
	for i := range 30 {
		all.add(figureKey{Variables, 10, fmt.Sprintf("c/v%02d", i)}, number(100), number(100+float64(i)))
	}
	all.add(figureKey{Variables, 10, population}, number(100), number(100))
	all.add(figureKey{Scores, 30, "cafes"}, number(10000), number(10000))
	all.add(figureKey{Scores, 30, "parks"}, number(10000), sql.NullFloat64{})
	c := &Comparison{Figures: all.list()}
	text := c.Text(4)
	for _, want := range []string{"c/v29", "c/v27", population, "and 26 that changed less", "did not change, by level: 10: 1\n",
		"did not change, by level: 30: 1\n", "parks"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "c/v26") || strings.Contains(text, "cafes") {
		t.Errorf("lists what changed little:\n%s", text)
	}
	if text := c.Text(0); !strings.Contains(text, "c/v01") || strings.Contains(text, "c/v00") {
		t.Errorf("all:\n%s", text)
	}
}

func TestIssues(t *testing.T) {
	issue := func(severity reason.Severity, code string, rows int64) schemas.ReleaseIssue {
		return schemas.ReleaseIssue{Severity: severity, Code: code, Rows: rows}
	}
	older := &schemas.Manifest{
		Sources: []schemas.ReleaseSource{
			{ID: "a", Issues: []schemas.ReleaseIssue{issue(reason.Rejected, "missing_key", 3), issue(reason.Skipped, "other_country", 9)}},
			{ID: "b", Issues: []schemas.ReleaseIssue{issue(reason.Rejected, "missing_key", 4)}},
		},
	}
	newer := &schemas.Manifest{
		Sources: []schemas.ReleaseSource{{ID: "b",
			Issues: []schemas.ReleaseIssue{issue(reason.Rejected, "missing_key", 5), issue(reason.Skipped, "other_country", 9)}}},
		Steps: []schemas.StepIssue{{Step: "poi", ReleaseIssue: issue(reason.Repaired, "sea_removed", 2)}},
	}
	got := compareIssues(older, newer)
	want := []IssueChange{{reason.Rejected, "missing_key", 7, 5}, {reason.Repaired, "sea_removed", 0, 2},
		{reason.Skipped, "other_country", 9, 9}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	text := (&Comparison{Issues: got}).String()
	if lines := strings.Split(text, "\n"); !slices.ContainsFunc(lines, func(l string) bool {
		return strings.Join(strings.Fields(l), " ") == "7 5 −2 rejected: missing_key"
	}) || strings.Contains(text, "other_country") {
		t.Errorf("text\n%s", text)
	}
}
