package explore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"

	"quartier/serve/account"
	"quartier/serve/release"
)

// Comparison is an older release with which the one that is served is compared.
type Comparison struct {
	Against Against
	// Compare returns the JSON of quartier diff, with outlines and bounds, between the older release and the components in
	// two folders; market is "" where there is none.
	Compare func(ctx context.Context, places, market string) ([]byte, error)
}

// maxReport limits what quartier diff says of two releases, in bytes.
const maxReport = 64 << 20

// report is what quartier diff says of two releases: all members by name, and the two that are selected by place and level.
type report struct {
	members map[string]json.RawMessage
	changed []change
	scores  []scoreMoves
}

// change is a member of "changed": geographies of the older release, and what became of them.
type change struct {
	raw     json.RawMessage
	Level   int         `json:"level"`
	Older   []changedID `json:"older"`
	Newer   []changedID `json:"newer"`
	bound   orb.Bound   // of all outlines
	regions [][]string  // of each of its geographies, by which it may be seen
}

type changedID struct {
	GeogID  string            `json:"geog_id"`
	Outline *geojson.Geometry `json:"outline"`
}

// scoreMoves is a member of "scores".
type scoreMoves struct {
	members map[string]json.RawMessage
	id      string
	moved   []move
}

// move is a geography whose score moved.
type move struct {
	members map[string]json.RawMessage
	GeogID  string     `json:"geog_id"`
	Level   int        `json:"level"`
	Box     [4]float64 `json:"bbox"`
	regions []string
}

// compare compares a release with the older one.
func (e *Explorer) compare(ctx context.Context, r *release.Release) (*report, error) {
	if r.Digest() == e.against.Against.Release {
		return nil, errSameRelease
	}
	body, err := e.against.Compare(ctx, r.Folder(), r.MarketFolder())
	if err != nil {
		e.log.Error("the releases cannot be compared", "error", err)
		return nil, errNotCompared
	}
	if len(body) > maxReport {
		e.log.Error("the releases differ too much for the explorer", "bytes", len(body))
		return nil, errNotCompared
	}
	return readReport(body, r)
}

// readReport reads the JSON of quartier diff.
func readReport(body []byte, r *release.Release) (*report, error) {
	var lists struct {
		Changed []json.RawMessage `json:"changed"`
		Scores  []json.RawMessage `json:"scores"`
	}
	out := &report{}
	if err := errors.Join(json.Unmarshal(body, &out.members), json.Unmarshal(body, &lists)); err != nil {
		return nil, fmt.Errorf("read what quartier diff says: %w", err)
	}
	for _, raw := range lists.Changed {
		c := change{raw: raw}
		if err := json.Unmarshal(raw, &c); err != nil {
			return nil, fmt.Errorf("read a changed geography: %w", err)
		}
		c.locate(r)
		out.changed = append(out.changed, c)
	}
	for _, raw := range lists.Scores {
		s, err := readMoves(raw, r)
		if err != nil {
			return nil, fmt.Errorf("read a score: %w", err)
		}
		out.scores = append(out.scores, s)
	}
	return out, nil
}

// locate sets what a change is selected by.
func (c *change) locate(r *release.Release) {
	c.bound = orb.Bound{Min: orb.Point{180, 90}, Max: orb.Point{-180, -90}}
	for _, g := range slices.Concat(c.Older, c.Newer) {
		bound, known := orb.Bound{}, g.Outline != nil && g.Outline.Geometry() != nil
		if known {
			bound = g.Outline.Geometry().Bound()
			c.bound = c.bound.Union(bound)
		}
		codes := regionsOf(r, g.GeogID)
		if codes == nil && known {
			codes = r.Geographies.RegionsAt(nil, bound.Center()[0], bound.Center()[1])
		}
		c.regions = append(c.regions, codes)
	}
}

// regionsOf are the regions of a geography of the release, superseded ones included; nil where it has none of this id.
func regionsOf(r *release.Release, id string) []string {
	if i, ok := r.Geographies.ByID(id); ok {
		return r.Regions(i)
	}
	return nil
}

func readMoves(raw json.RawMessage, r *release.Release) (scoreMoves, error) {
	var s scoreMoves
	var lists struct {
		Score string                       `json:"score"`
		Moved []map[string]json.RawMessage `json:"moved"`
	}
	var moved struct {
		Moved []move `json:"moved"`
	}
	if err := errors.Join(json.Unmarshal(raw, &s.members), json.Unmarshal(raw, &lists), json.Unmarshal(raw, &moved)); err != nil {
		return s, err
	}
	s.id = lists.Score
	for i, m := range moved.Moved {
		m.members, m.regions = lists.Moved[i], regionsOf(r, m.GeogID)
		s.moved = append(s.moved, m)
	}
	return s, nil
}

func (s selection) has(level int, bound orb.Bound) bool {
	return (s.level == 0 || int(s.level) == level) && (s.box == nil || s.box.Intersects(bound))
}

// answerChanges answers with what changed between the older release and the current one: /explore/changes?level=30.
func (e *Explorer) answerChanges(v *visit, _ string) error {
	if e.against == nil {
		return errNoChanges
	}
	asked, ok := parseSelection(v.HTTP)
	if !ok {
		return errBadSelection
	}
	r, err := e.openRelease(v)
	if err != nil {
		return err
	}
	defer r.Done()
	key := r.Digest()
	if folder := r.MarketFolder(); folder != "" {
		key += " " + folder
	}
	seen := e.views.of(r, v.account)
	var body []byte
	err = e.comparisons.use(v.HTTP.Context(), r, key, e.now(), func(_ context.Context, all *report) (err error) {
		body, err = all.selected(asked, &v.account.Agreement, seen.partial)
		return err
	})
	if err != nil {
		return err
	}
	write(v, http.StatusOK, jsonType, body)
	return nil
}

// wholeMembers are those about all of a release, with the products that they belong to; "": the operator's, for an account
// with the whole release. Members that are in neither list are dropped: what is new has to be considered first.
var wholeMembers = map[string]string{
	"gates": "", "levels": "geographies", "regions": "geographies", "categories": "pois", "brands": "pois", "demographics": "demographics",
	"coverage": "", "sources": "", "issues": "", "licences_lost": "", "market": "market_stats",
}

// placelessMembers say which releases were compared.
var placelessMembers = []string{"older", "newer", "continues", "notes", "changed_beyond"}

// none is a list of which an account may see nothing.
var none = json.RawMessage("[]")

// selected is the part of a report that an account may see, at a place and of a level. For an account of some regions that
// is without the numbers about all of the release; lists are empty then.
func (all *report) selected(asked selection, a *account.Agreement, partial bool) ([]byte, error) {
	out := map[string]any{}
	for _, name := range placelessMembers {
		if raw, ok := all.members[name]; ok {
			out[name] = raw
		}
	}
	for name, product := range wholeMembers {
		out[name] = none
		if raw, ok := all.members[name]; ok && !partial && (product == "" || a.AllowsProduct(product)) {
			out[name] = raw
		}
	}
	out["changed"], out["scores"] = none, none
	if a.AllowsProduct("geographies") {
		changed := []json.RawMessage{}
		for _, c := range all.changed {
			mayShow := !slices.ContainsFunc(c.regions, func(codes []string) bool { return !allowsAny(a, codes) })
			if mayShow && asked.has(c.Level, c.bound) {
				changed = append(changed, c.raw)
			}
		}
		out["changed"] = changed
	}
	if a.AllowsProduct("scores") {
		scores := []map[string]any{}
		for _, s := range all.scores {
			if a.AllowsScore(s.id) {
				scores = append(scores, s.selected(asked, a, partial))
			}
		}
		out["scores"] = scores
	}
	return json.Marshal(out)
}

func (s *scoreMoves) selected(asked selection, a *account.Agreement, partial bool) map[string]any {
	out := map[string]any{}
	for name, raw := range s.members {
		if name == "score" || name == "label" || !partial {
			out[name] = raw
		}
	}
	moved := []map[string]json.RawMessage{}
	for _, m := range s.moved {
		bound := orb.Bound{Min: orb.Point{m.Box[0], m.Box[1]}, Max: orb.Point{m.Box[2], m.Box[3]}}
		if !allowsAny(a, m.regions) || !asked.has(m.Level, bound) {
			continue
		}
		shown := m.members
		if partial || !a.AllowsProduct("pois") { // names of places around, on the other side of a border too
			shown = map[string]json.RawMessage{}
			for name, raw := range m.members {
				shown[name] = raw
			}
			shown["places"], shown["reason"] = none, json.RawMessage(`""`)
		}
		moved = append(moved, shown)
	}
	out["moved"] = moved
	return out
}
