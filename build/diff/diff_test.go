package diff

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/build/compare"
	"quartier/build/gates"
	"quartier/schemas"
)

// evil is a text that a page has to show as it is, with a number by which it is found.
func evil(n int) string {
	return fmt.Sprintf(`%d</td><script>alert("%d")</script><img src=x onerror='y'>&amp;{{.}}`, n, n)
}

func square(west, south, size float64) orb.MultiPolygon {
	return orb.MultiPolygon{{{{west, south}, {west + size, south}, {west + size, south + size}, {west, south + size}, {west, south}}}}
}

// sample is a report in which the texts that come from data are evil, with numbers from 1.
func sample() *Report {
	text := 0
	next := func() string { text++; return evil(text) }
	spread := compare.Spread{Known: 4, Median: 1.25}
	spread.Bins[5], spread.Bins[19] = 3, 1
	known := func(v float64) sql.NullFloat64 { return sql.NullFloat64{Float64: v, Valid: true} }
	r := &Report{
		Comparison: &compare.Comparison{
			Older:     compare.Side{Release: "old", AsOf: "2025-03-01", Digest: strings.Repeat("a", 64)},
			Newer:     compare.Side{Release: "new", AsOf: "2025-09-01", Digest: strings.Repeat("b", 64)},
			Continues: true, Notes: []string{next()}, LicencesLost: []string{next()},
			Levels:  []compare.LevelSum{{Level: schemas.Neighbourhood, Older: 1234567, Newer: 1234560, OlderPopulation: known(10)}},
			Regions: []compare.RegionLevel{{Region: next(), Level: schemas.Neighbourhood, Older: 2, Newer: 3}},
			Geographies: []compare.LevelChange{{Level: schemas.Neighbourhood, Kind: "split", Rows: 1},
				{Level: schemas.Neighbourhood, Kind: "new", Rows: 3}, {Level: schemas.Neighbourhood, Kind: "kept", Rows: 9}},
			Categories: []compare.POIChange{{Category: next(), Added: 1, Removed: 2, Kept: 3}},
			Brands:     []compare.CountChange{{ID: "b", Name: next(), Older: 1, Newer: 2}},
			Scores: []compare.ScoreSpread{{Score: "cafes", Older: spread, Newer: spread, Distance: 0.25},
				{Score: "quiet", Older: spread, Newer: spread}},
			Figures: []compare.FigureChange{{Group: compare.Shares, Level: schemas.Neighbourhood, Figure: next(), Known: 3, Moved: 1,
				Quantiles: [5]float64{-0.25, 0, 0, 1, math.Inf(1)}}},
			Sources: []compare.SourceChange{{Source: next(), Older: compare.SourceRows{Taken: 4}, Newer: compare.SourceRows{Taken: 5}}},
			Issues:  []compare.IssueChange{{Code: next(), Older: 1}},
		},
		Verdicts: gates.Verdicts{{Gate: "lost_ids", Measure: 1, Detail: next()},
			{Gate: "brand.b", Measure: 0.5, Limit: 0.4, Accepted: next(), Before: "1", After: "2"}, {Gate: "schools", Limit: 0.3}},
		Moves: compare.Moves{
			{Score: "cafes", GeogID: "g10_a", Name: next(), Older: 1, Newer: 3, OfPlaces: true,
				Places: []compare.PlaceChange{{Class: "ice_cream", Came: 2, Went: 1, Names: []string{next(), next()}}}},
			{Score: "cafes", GeogID: "g10_b", Name: next(), Older: 3, Newer: 2, OfPlaces: true},
			{Score: "quiet", GeogID: "g10_c", Name: next(), Older: 1, Newer: 2},
		},
	}
	r.fill(changedSample(next))
	return r
}

func changedSample(next func() string) []compare.Succession {
	return []compare.Succession{{
		Kind: "split",
		Olds: []compare.Outline{{GeogID: "g10_o", Name: next(), Level: schemas.Neighbourhood, Region: next(), Shape: square(-73, 45, 0.02),
			Centroid: orb.Point{-72.99, 45.01}}},
		News: []compare.Outline{
			{GeogID: "g10_n", Name: next(), Level: schemas.Neighbourhood, Region: "r", Shape: square(-73, 45, 0.01),
				Centroid: orb.Point{-72.995, 45.005}},
			{GeogID: "g10_m", Name: "M", Level: schemas.Neighbourhood, Region: next(), Shape: square(-72.99, 45.01, 0.01),
				Centroid: orb.Point{-72.985, 45.015}},
		},
		Bridges: []compare.Bridge{{Old: "g10_o", New: "g10_n", Kind: "split", AreaShare: 0.25, HouseholdShare: sql.NullFloat64{Float64: 0.75,
			Valid: true}, Measure: "households"}, {Old: "g10_o", Kind: "retired", AreaShare: 0.5, Measure: "area"}},
	}}
}

// TestLocate has outlines with fewer vertices, in which no corner is missing, and bounds beside the moves that they are of.
func TestLocate(t *testing.T) {
	next := func() string { return "n" }
	changed, r := changedSample(next), sample()
	ring := changed[0].Olds[0].Shape[0][0]
	changed[0].Olds[0].Shape[0][0] = append(orb.Ring{ring[0], orb.Point{(ring[0][0] + ring[1][0]) / 2, (ring[0][1] + ring[1][1]) / 2}},
		ring[1:]...)
	for i := range r.Moves {
		r.Moves[i].Bound = orb.Bound{Min: orb.Point{float64(i), 1}, Max: orb.Point{float64(i), 2}}
	}
	r.locate(changed)
	outline, ok := r.Changed[0].Olds[0].Outline.Geometry().(orb.MultiPolygon)
	if !ok || !orb.Equal(outline, orb.MultiPolygon{{ring}}) || r.Changed[0].News[1].Outline == nil {
		t.Errorf("the outline is %v, want %v", outline, ring)
	}
	for i, want := range []float64{0, 1, 2} {
		moved := append(append([]Move{}, r.Scores[0].Moved...), r.Scores[1].Moved...)
		if b := moved[i].Bounds; b == nil || b[0] != want || b[1] != 1 || b[3] != 2 {
			t.Errorf("move %d is at %v", i, b)
		}
	}
}

func html(t *testing.T, r *Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := r.WriteHTML(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestPageShowsDataAsText checks that every text from data is on the page, as text, and that the page fetches and runs nothing.
func TestPageShowsDataAsText(t *testing.T) {
	page := html(t, sample())
	const last, regionOfOlder = 19, 17 // the region of a group is that of its last geography
	for n := 1; n <= last; n++ {
		start := fmt.Sprintf("%d&lt;/td&gt;&lt;script&gt;alert(&#34;%d&#34;)&lt;/script&gt;&lt;img src=x onerror=&#39;y&#39;&gt;&amp;amp;{{.}}",
			n, n)
		if shown := regexp.MustCompile(`(^|\D)` + regexp.QuoteMeta(start)).MatchString(page); shown == (n == regionOfOlder) {
			t.Errorf("text %d is shown: %v", n, shown)
		}
	}
	if strings.Contains(page, fmt.Sprintf("%d&lt;", last+1)) {
		t.Errorf("there is a text %d", last+1)
	}
	if found := regexp.MustCompile(
		`(?i)<(script|link|img|iframe|object|embed|form|base|meta http-equiv="refresh)|https?://|url\(|@import|\son[a-z]+=|(src|href)="[^#]`).
		FindString(strings.ReplaceAll(page, "onerror=&#39;", "")); found != "" {
		t.Errorf("the page has %q", found)
	}
	if !strings.Contains(page, `content="default-src 'none'; style-src 'unsafe-inline'"`) {
		t.Error("the page may fetch something")
	}
}

// TestPageContent checks what the page says.
func TestPageContent(t *testing.T) {
	page := html(t, sample())
	for _, want := range []string{
		"<title>old of 2025-03-01 → new of 2025-09-01</title>", "The newer release continues the older one.",
		"1 of 3 gates hold the newer release back", `<span class="tag held">holds back</span>`, `<span class="tag accepted">accepted</span>`,
		"1 gates within their limits",
		"<td class=\"n\">1\u202f234\u202f567</td><td class=\"n\">1\u202f234\u202f560</td><td class=\"n\">−7</td>",
		`<th class="n">kept</th><th class="n">split</th><th class="n">new</th>`, `<td class="n">9</td><td class="n">1</td><td class="n">3</td>`,
		`<td class="n">10</td><td class="n">–</td>`,
		"A 18&lt;/td", "<strong>B M</strong>", "no successor <small>retired, by area</small>",
		`<td class="n">25.0 %</td><td class="n">75.0 %</td>`, `<td class="n">50.0 %</td><td class="n">–</td>`,
		"KS 25.0 %", "ice cream +2 −1", "Quiet", "moved the most",
		"no place of its kinds came or went within 1 km", "it is made of streets, traffic, land or people, not of places",
		`<td class="n">−0.2</td><td class="n">0</td><td class="n">0</td><td class="n">&#43;1.0</td><td class="n">∞</td>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	empty := &Report{Comparison: &compare.Comparison{}}
	empty.fill(nil)
	page = html(t, empty)
	for _, want := range []string{"does not continue", "All 0 gates are within their limits", "No outline changed",
		"No category of places changed", "No figure changed", "No region has another number"} {
		if !strings.Contains(page, want) {
			t.Errorf("of equal releases: no %q", want)
		}
	}
}

// TestReportsAreDeterministic writes equal reports, with maps filled again, as the same bytes.
func TestReportsAreDeterministic(t *testing.T) {
	var page, figures string
	for i := range 20 {
		r := sample()
		var out bytes.Buffer
		if err := r.WriteJSON(&out); err != nil {
			t.Fatal(err)
		}
		if i > 0 && (html(t, r) != page || out.String() != figures) {
			t.Fatal("the same report has other bytes")
		}
		page, figures = html(t, r), out.String()
	}
}

// TestJSON reads the report again. Lists are never null, and infinite shares are.
func TestJSON(t *testing.T) {
	for _, r := range []*Report{sample(), {Comparison: &compare.Comparison{}}} {
		if r.Gates == nil {
			r.fill(nil)
		}
		var out bytes.Buffer
		if err := r.WriteJSON(&out); err != nil {
			t.Fatal(err)
		}
		var again Report
		if err := json.Unmarshal(out.Bytes(), &again); err != nil {
			t.Fatal(err)
		}
		var members map[string]any
		if err := json.Unmarshal(out.Bytes(), &members); err != nil {
			t.Fatal(err)
		}
		for name, value := range members {
			if value == nil {
				t.Errorf("%s is null", name)
			}
		}
		if len(r.Figures) == 0 {
			continue
		}
		if f := again.Figures[0]; f.Shares[4] != nil || *f.Shares[0] != -0.25 || f.Unit != "points" ||
			again.Changed[0].News[0].Name != evil(18) || again.Scores[0].Moved[0].Reason != "places of its kinds came or went within 1 km" {
			t.Errorf("%+v", again)
		}
		if strings.Contains(out.String(), "<svg") || strings.Contains(out.String(), "Comparison") {
			t.Error("the drawing is in it")
		}
	}
}

// TestDrawing compares pixels with those computed by hand: a square of 0.02° at 45° north is cos(45.01°) as wide as high, so its
// height of 216 pixels sets the scale of 10,800 pixels per degree, and its width is 216·0.7070 = 152.7.
func TestDrawing(t *testing.T) {
	r := sample()
	drawing := string(r.Changed[0].Drawing)
	for _, want := range []string{
		`<path class="old" d="M93.6 228.0L246.4 228.0L246.4 12.0L93.6 12.0Z"/>`,
		`<path class="new" d="M93.6 228.0L170.0 228.0L170.0 120.0L93.6 120.0Z"/>`,
		`<text class="mark" x="131.8" y="179.0">A</text>`, `>B</text>`,
		`>1 km</text>`, fmt.Sprintf("h%.1fv-6", 1000/111_200.0*10_800), // the longest round distance within 113 pixels
	} {
		if !strings.Contains(drawing, want) {
			t.Errorf("no %s in %s", want, drawing)
		}
	}
	if draw(nil, nil) != "" || mark(25) != "Z" || mark(26) != "27" {
		t.Error("marks, or a drawing of nothing")
	}
	if length, label := scaleBar(1e6); label != "10 m" || math.Abs(length-10/111_200.0*1e6) > 1e-9 {
		t.Errorf("%v %s", length, label)
	}
}

// TestHistogram compares the bars with the bins: 3 of 4 values in the sixth, one in the last.
func TestHistogram(t *testing.T) {
	r := sample()
	svg := string(histogram(&r.Scores[0]))
	bars := regexp.MustCompile(`<rect class="newbar" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/>`).
		FindAllStringSubmatch(svg, -1)
	if len(bars) != 2 || bars[0][2] != "8.0" || bars[0][4] != "110.0" || bars[1][4] != "36.7" {
		t.Errorf("bars %v", bars)
	}
	if bars[0][1] != "100.0" { // 34 + 262·5/20 + 0.5
		t.Errorf("the sixth bin begins at %s", bars[0][1])
	}
	if n := strings.Count(svg, "median"); n != 2 {
		t.Errorf("%d medians", n)
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1\u202f000", 1234567: "1\u202f234\u202f567"} {
		if got := count(n); got != want {
			t.Errorf("%d is %q", n, got)
		}
	}
	if change(5, 5) != "" || change(5, 1005) != "+1\u202f000" || change(5, 2) != "−3" {
		t.Error("changes")
	}
}
