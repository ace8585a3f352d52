// Package diff describes what changed between two releases, for programs (JSON) and for people: one page of HTML that needs
// no network. It reads the components places and market alone, so that no private place is in it.
package diff

import (
	"context"
	"encoding/json"
	"io"
	"math"

	"quartier/build/compare"
	"quartier/build/gates"
	"quartier/schemas"
)

// Folders are the components of a release; Market is "" where it has none.
type Folders struct{ Places, Market string }

// FoldersOf are the components of a release folder, or of what is published in a folder of releases.
func FoldersOf(dir string) (f Folders, err error) {
	if f.Places, err = schemas.ComponentFolder(dir, schemas.Places); err != nil {
		return f, err
	}
	pointer, err := schemas.ReadPointer(dir)
	if err == nil && pointer != nil {
		f.Market, err = schemas.ComponentFolder(dir, schemas.Market)
	}
	return f, err
}

// Options limit a report.
type Options struct {
	Outlines int // groups of changed geographies with their outlines
	Moves    int // geographies whose score moved the most, for each score

	Geometry bool // for a map: outlines of changed geographies, and bounds of those whose score moved
}

// Report is what changed between two releases.
type Report struct {
	Older      Side       `json:"older"`
	Newer      Side       `json:"newer"`
	Continues  bool       `json:"continues"` // the newer one was built on the older one
	Notes      []string   `json:"notes"`     // what is not compared
	Gates      []Gate     `json:"gates"`
	Levels     []Level    `json:"levels"`
	Regions    []Region   `json:"regions"`
	Changed    []Changed  `json:"changed"`        // the most far-reaching kinds first
	Undrawn    int        `json:"changed_beyond"` // groups that Changed leaves out
	Scores     []Score    `json:"scores"`
	Categories []Count    `json:"categories"`   // of POIs, that changed
	Brands     []Count    `json:"brands"`       // that changed
	Figures    []Figure   `json:"demographics"` // that changed
	Coverage   []Coverage `json:"coverage"`
	Sources    []Source   `json:"sources"`
	Issues     []Issue    `json:"issues"` // whose number changed
	Licences   []string   `json:"licences_lost"`
	Market     []Market   `json:"market"`

	Comparison *compare.Comparison `json:"-"`
	Moves      compare.Moves       `json:"-"`
	Verdicts   gates.Verdicts      `json:"-"`
}

// Side is one of the two releases.
type Side struct {
	Release     string `json:"release"`
	AsOf        string `json:"as_of"`
	Digest      string `json:"digest"`
	Schema      int    `json:"schema"`
	Calibration string `json:"calibration"`
}

// Gate is the verdict of a gate; measure and limit are shares, numbers or points, as their texts say.
type Gate struct {
	Gate        string  `json:"gate"`
	Measure     float64 `json:"measure"`
	Limit       float64 `json:"limit"`
	MeasureText string  `json:"measure_text"`
	LimitText   string  `json:"limit_text"`
	Before      string  `json:"before"`
	After       string  `json:"after"`
	Detail      string  `json:"detail,omitempty"`
	Tripped     bool    `json:"tripped"`
	Accepted    string  `json:"accepted,omitempty"`
}

// Level is the geographies of a level.
type Level struct {
	Level           int              `json:"level"`
	Label           string           `json:"label"`
	Older           int64            `json:"older"`
	Newer           int64            `json:"newer"`
	Kinds           map[string]int64 `json:"kinds"` // what became of the older ones, and "new"
	OlderPopulation *float64         `json:"older_population"`
	NewerPopulation *float64         `json:"newer_population"`
}

// Region is the geographies of a level that were taken from a region.
type Region struct {
	Region string `json:"region"`
	Level  int    `json:"level"`
	Older  int64  `json:"older"`
	Newer  int64  `json:"newer"`
}

// Score is how a score is spread over the geographies that are current in both releases.
type Score struct {
	Score    string  `json:"score"`
	Label    string  `json:"label"`
	Older    Spread  `json:"older"`
	Newer    Spread  `json:"newer"`
	Distance float64 `json:"ks_distance"`
	Moved    []Move  `json:"moved"` // the most, largest first
}

// Spread is a histogram with bins of a quarter of a point from 0 to 5.
type Spread struct {
	Known  int64   `json:"known"`
	Median float64 `json:"median"`
	Bins   []int64 `json:"bins"`
}

// Move is a geography whose score moved.
type Move struct {
	GeogID string        `json:"geog_id"`
	Name   string        `json:"name"`
	Level  int           `json:"level"`
	Older  float64       `json:"older"`
	Newer  float64       `json:"newer"`
	Places []PlaceChange `json:"places"` // that came and went near
	Reason string        `json:"reason"`
	Bounds *[4]float64   `json:"bbox,omitempty"` // west, south, east, north in degrees; absent unless Options ask for it
}

// PlaceChange is the places of a class that came and went near.
type PlaceChange struct {
	Class string   `json:"class"`
	Came  int64    `json:"came"`
	Went  int64    `json:"went"`
	Names []string `json:"names"`
}

// Count is the number of rows of one kind.
type Count struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Older   int64  `json:"older"`
	Newer   int64  `json:"newer"`
	Added   int64  `json:"added,omitempty"`
	Removed int64  `json:"removed,omitempty"`
}

// Figure is the difference of a variable of demographics over the geographies of a level: percentage points of shares,
// percent of others. Beyond JSON's numbers is null.
type Figure struct {
	Figure string      `json:"figure"`
	Level  int         `json:"level"`
	Unit   string      `json:"unit"`
	Known  int64       `json:"in_both"`
	Moved  int64       `json:"moved"`
	Gained int64       `json:"gained"`
	Lost   int64       `json:"lost"`
	Shares [5]*float64 `json:"p5_p25_p50_p75_p95"`
}

// Coverage is how many geographies of a level have a product.
type Coverage struct {
	Product string `json:"product"`
	Level   int    `json:"level"`
	Older   int64  `json:"older"`
	Newer   int64  `json:"newer"`
}

// Source is the rows of a source.
type Source struct {
	Source        string `json:"source"`
	OlderTaken    int64  `json:"older_taken"`
	NewerTaken    int64  `json:"newer_taken"`
	OlderRejected int64  `json:"older_rejected"`
	NewerRejected int64  `json:"newer_rejected"`
}

// Issue is the number of rows with an issue.
type Issue struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Older    int64  `json:"older"`
	Newer    int64  `json:"newer"`
}

// Market is the shift of a metric, as a share.
type Market struct {
	Metric string  `json:"metric"`
	Cells  int64   `json:"cells"`
	Shift  float64 `json:"shift"`
}

// Releases compares two releases.
func Releases(ctx context.Context, older, newer Folders, opts Options) (*Report, error) {
	c, err := compare.Releases(ctx, older.Places, newer.Places)
	if err != nil {
		return nil, err
	}
	if err := c.Market(ctx, older.Market, newer.Market); err != nil {
		return nil, err
	}
	after, err := schemas.ReadAnyManifest(newer.Places)
	if err != nil {
		return nil, err
	}
	accepted := after.Accepted
	if !c.Continues {
		accepted = nil
	}
	r := &Report{Comparison: c, Verdicts: gates.Judge(c, after.GateLimits, accepted)}
	moves, err := c.MostMoved(ctx, older.Places, newer.Places, opts.Moves)
	if err == nil {
		err = moves.Explain(ctx, older.Places, newer.Places)
	}
	if err != nil {
		return nil, err
	}
	var changed []compare.Succession
	if c.Older.Schema == c.Newer.Schema {
		if changed, r.Undrawn, err = compare.Successions(ctx, older.Places, newer.Places, opts.Outlines); err != nil {
			return nil, err
		}
	} else {
		c.Notes = append(c.Notes, "outlines are not compared: the releases are of different schemas")
	}
	r.Moves = moves
	r.fill(changed)
	if opts.Geometry {
		r.locate(changed)
	}
	return r, nil
}

// WriteJSON writes the report.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(r)
}

func (r *Report) fill(changed []compare.Succession) {
	c := r.Comparison
	side := func(s compare.Side) Side { return Side{s.Release, s.AsOf, s.Digest, s.Schema, s.Calibration} }
	r.Older, r.Newer, r.Continues, r.Notes = side(c.Older), side(c.Newer), c.Continues, present(c.Notes)
	r.Gates, r.Levels, r.Regions, r.Changed, r.Scores = []Gate{}, []Level{}, []Region{}, []Changed{}, []Score{}
	r.Categories, r.Brands, r.Figures, r.Coverage = []Count{}, []Count{}, []Figure{}, []Coverage{}
	r.Sources, r.Issues, r.Licences, r.Market = []Source{}, []Issue{}, present(c.LicencesLost), []Market{}
	for _, v := range r.Verdicts {
		r.Gates = append(r.Gates, Gate{v.Gate, v.Measure, v.Limit, v.MeasureText(), v.LimitText(), v.Before, v.After, v.Detail, v.Tripped(),
			v.Accepted})
	}
	r.fillLevels()
	r.fillScores()
	for _, p := range c.Categories {
		if p.Added+p.Removed > 0 {
			r.Categories = append(r.Categories, Count{p.Category, categoryLabel(p.Category), p.Older(), p.Newer(), p.Added, p.Removed})
		}
	}
	for _, b := range c.Brands {
		if b.Older != b.Newer {
			r.Brands = append(r.Brands, Count{ID: b.ID, Name: b.Name, Older: b.Older, Newer: b.Newer})
		}
	}
	for _, f := range c.Figures {
		if f.Group >= compare.Shares && f.Changed() {
			r.Figures = append(r.Figures, figureOf(f))
		}
	}
	for _, p := range c.Coverage {
		r.Coverage = append(r.Coverage, Coverage{p.Product, int(p.Level), p.Older, p.Newer})
	}
	for _, s := range c.Sources {
		r.Sources = append(r.Sources, Source{s.Source, s.Older.Taken, s.Newer.Taken, s.Older.Rejected, s.Newer.Rejected})
	}
	for _, i := range c.Issues {
		if i.Older != i.Newer {
			r.Issues = append(r.Issues, Issue{string(i.Severity), i.Code, i.Older, i.Newer})
		}
	}
	for _, m := range c.MarketMetrics {
		r.Market = append(r.Market, Market{m.Metric, m.Cells, m.Shift})
	}
	for i := range changed {
		r.Changed = append(r.Changed, changedOf(&changed[i]))
	}
}

// present is a list that is not null in JSON.
func present(list []string) []string { return append([]string{}, list...) }

func categoryLabel(id string) string {
	for _, c := range schemas.Categories {
		if c.ID == id {
			return c.Label.EN
		}
	}
	return id
}

func figureOf(f compare.FigureChange) Figure {
	unit := "%"
	if f.Group == compare.Shares {
		unit = "points"
	}
	out := Figure{Figure: f.Figure, Level: int(f.Level), Unit: unit, Known: f.Known, Moved: f.Moved, Gained: f.Gained, Lost: f.Lost}
	for i, q := range f.Quantiles {
		if !math.IsInf(q, 0) {
			out.Shares[i] = &f.Quantiles[i]
		}
	}
	return out
}

func (r *Report) fillLevels() {
	for _, l := range r.Comparison.Levels {
		out := Level{Level: int(l.Level), Label: l.Level.Label("US", "").EN, Older: l.Older, Newer: l.Newer, Kinds: map[string]int64{}}
		for _, k := range r.Comparison.Geographies {
			if k.Level == l.Level {
				out.Kinds[k.Kind] = k.Rows
			}
		}
		if l.OlderPopulation.Valid {
			out.OlderPopulation = &l.OlderPopulation.Float64
		}
		if l.NewerPopulation.Valid {
			out.NewerPopulation = &l.NewerPopulation.Float64
		}
		r.Levels = append(r.Levels, out)
	}
	for _, g := range r.Comparison.Regions {
		r.Regions = append(r.Regions, Region{g.Region, int(g.Level), g.Older, g.Newer})
	}
}

func (r *Report) fillScores() {
	for i := range r.Comparison.Scores {
		s := &r.Comparison.Scores[i]
		out := Score{Score: s.Score, Label: s.Score, Older: spreadOf(&s.Older), Newer: spreadOf(&s.Newer), Distance: s.Distance, Moved: []Move{}}
		for _, known := range schemas.Scores {
			if known.ID == s.Score {
				out.Label = known.Label.EN
			}
		}
		for j := range r.Moves {
			if r.Moves[j].Score == s.Score {
				out.Moved = append(out.Moved, moveOf(&r.Moves[j]))
			}
		}
		r.Scores = append(r.Scores, out)
	}
}

func spreadOf(s *compare.Spread) Spread { return Spread{s.Known, s.Median, s.Bins[:]} }

func moveOf(m *compare.Move) Move {
	out := Move{GeogID: m.GeogID, Name: m.Name, Level: int(m.Level), Older: m.Older, Newer: m.Newer, Places: []PlaceChange{}}
	for _, p := range m.Places {
		out.Places = append(out.Places, PlaceChange(p))
	}
	switch {
	case len(m.Places) > 0:
		out.Reason = "places of its kinds came or went within 1 km"
	case m.OfPlaces:
		out.Reason = "no place of its kinds came or went within 1 km: its streets, homes or outline did"
	default:
		out.Reason = "it is made of streets, traffic, land or people, not of places"
	}
	return out
}
