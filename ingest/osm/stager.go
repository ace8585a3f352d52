package osm

import (
	"context"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/osm/element"
	"quartier/ingest/osm/nodes"
	"quartier/ingest/osm/place"
	"quartier/ingest/source"
	"quartier/internal/geo"
)

// stager carries one file through its passes.
type stager struct {
	source     string
	given      region
	boundaries bool
	pois       bool
	levels     levelTable
	rules      place.Rules
	out        source.Sink

	features    []*feature // relations, and ways that are boundaries, in file order
	lines       lines      // ways that relations are made of
	nodes       nodes.Places
	votes       votes
	settlements settlements
	extent      extent
	box         orb.Bound
	boxed       bool
}

// feature is an outline with what its tags make of it.
type feature struct {
	kind     element.Kinds
	id       int64
	tags     map[string]string
	ways     []int64   // of a relation, sorted
	refs     [][]int64 // of a way: its own
	boundary bool
	place    bool
}

// where names the feature for people.
func (f *feature) where() string {
	return where(f.kind, f.id, f.tags["name"])
}

func where(kind element.Kinds, id int64, name string) string {
	if name == "" {
		return fmt.Sprintf("%s %d", kind, id)
	}
	return fmt.Sprintf("%s %d (%s)", kind, id, name)
}

func newStager(in source.Input, options Options, out source.Sink) (*stager, error) {
	s := &stager{
		source: in.Source, out: out,
		given:      region{in.Country, in.State},
		boundaries: options.Boundaries == nil || *options.Boundaries,
		pois:       options.POIs == nil || *options.POIs,
		votes:      votes{}, settlements: settlements{}, extent: extent{},
	}
	if options.Country != "" {
		s.given = region{country: options.Country}
	}
	if options.State != "" {
		s.given.state = options.State
	}
	if c := s.given.country; c != "" && c != "CA" && c != "US" {
		return nil, fmt.Errorf("country %q is not CA or US", c)
	}
	if state := s.given.state; state != "" {
		country := countryOf[state]
		if country == "" || s.given.country != "" && s.given.country != country {
			return nil, fmt.Errorf("state %q is not one of %s", state, orBoth(s.given.country))
		}
		s.given.country = country
	}
	var err error
	if s.levels, err = newLevelTable(options.Levels); err != nil {
		return nil, err
	}
	s.rules, err = place.NewRules()
	return s, err
}

func orBoth(country string) string {
	if country == "" {
		return "Canada or the United States"
	}
	return country
}

func (s *stager) run(ctx context.Context, file element.File) error {
	s.box, s.boxed = file.Bound()
	tagged := func(kinds element.Kinds) element.Want { return element.Want{Kinds: kinds, Tags: true} }
	if err := file.Read(ctx, tagged(element.Nodes|element.Relations), s.readNodesAndRelations); err != nil {
		return err
	}
	s.lines.seal()
	if err := file.Read(ctx, tagged(element.Ways), s.readWays); err != nil {
		return err
	}
	s.nodes.Seal()
	if err := file.Read(ctx, element.Want{Kinds: element.Nodes}, s.readCoordinates); err != nil {
		return err
	}
	if s.boundaries {
		if err := s.stageBoundaries(ctx); err != nil {
			return err
		}
	}
	if !s.pois {
		return nil
	}
	if err := file.Read(ctx, tagged(element.Ways), s.stageWays); err != nil {
		return err
	}
	return s.stageRelations(ctx)
}

// readNodesAndRelations stages nodes that are places and keeps the relations that are anything.
func (s *stager) readNodesAndRelations(b *element.Batch) error {
	for i := range b.Nodes {
		n := &b.Nodes[i]
		if geo.Valid(n.Point) {
			s.extent.add(n.Point)
		}
		if n.Tags.Len() == 0 {
			continue
		}
		s.votes.count(n.Tags)
		s.settlements.add(n)
		if s.pois && s.claims(s.rules.Judge(n.Tags), element.Nodes, n.ID, n.Tags) {
			if err := s.stagePlace(element.Nodes, n.ID, n.Tags.Map(), n.Point, nil); err != nil {
				return err
			}
		}
	}
	for i := range b.Relations {
		r := &b.Relations[i]
		s.votes.count(r.Tags)
		s.readRelation(r)
	}
	return nil
}

// claims counts an element that says it is a place, and reports whether it is one to stage.
func (s *stager) claims(v place.Verdict, kind element.Kinds, id int64, tags element.Tags) bool {
	if v == place.None {
		return false
	}
	s.out.Read(1)
	if v != place.Place {
		s.out.Issue(source.Skipped, v.Reason(), where(kind, id, tags.Get("name")))
	}
	return v == place.Place
}

func (s *stager) readRelation(r *element.Relation) {
	kind := r.Tags.Get("type")
	if kind != "multipolygon" && kind != "boundary" {
		return
	}
	f := &feature{kind: element.Relations, id: r.ID}
	f.boundary = s.boundaries && s.isBoundary(element.Relations, r.ID, r.Tags)
	f.place = s.pois && s.claims(s.rules.Judge(r.Tags), element.Relations, r.ID, r.Tags)
	if !f.boundary && !f.place {
		return
	}
	for _, m := range r.Members {
		if m.Kind == element.Ways {
			f.ways = append(f.ways, m.Ref)
		}
	}
	slices.Sort(f.ways)
	f.ways = slices.Compact(f.ways)
	f.tags = r.Tags.Map()
	s.features = append(s.features, f)
	s.lines.want(f.ways)
}

// readWays keeps the ways that relations need and those that are boundaries, and asks for their nodes and for those
// of ways that are places.
func (s *stager) readWays(b *element.Batch) error {
	for i := range b.Ways {
		w := &b.Ways[i]
		s.votes.count(w.Tags)
		boundary := s.boundaries && w.Closed() && s.isBoundary(element.Ways, w.ID, w.Tags)
		if boundary {
			f := &feature{kind: element.Ways, id: w.ID, boundary: true, tags: w.Tags.Map()}
			f.refs = [][]int64{slices.Clone(w.Refs)}
			s.features = append(s.features, f)
		}
		needed := s.lines.put(w.ID, w.Refs)
		if needed || boundary || s.pois && w.Closed() && s.rules.Judge(w.Tags) == place.Place {
			s.nodes.Locate(w.Refs, w.Points)
		}
	}
	return nil
}

func (s *stager) readCoordinates(b *element.Batch) error {
	for i := range b.Nodes {
		s.nodes.Put(b.Nodes[i].ID, b.Nodes[i].Point)
	}
	return nil
}

// lines holds the nodes of the ways that relations are made of.
type lines struct {
	ids  []int64
	refs [][]int64 // nil: not in the file
}

func (l *lines) want(ids []int64) { l.ids = append(l.ids, ids...) }

func (l *lines) seal() {
	slices.Sort(l.ids)
	l.ids = slices.Compact(l.ids)
	l.refs = make([][]int64, len(l.ids))
}

// put keeps a way if it was asked for; of one that comes twice the first stays.
func (l *lines) put(id int64, refs []int64) bool {
	i, ok := slices.BinarySearch(l.ids, id)
	if ok && l.refs[i] == nil {
		l.refs[i] = append([]int64{}, refs...)
	}
	return ok
}

// of returns the lines of ways and how many of them the file lacks.
func (l *lines) of(ids []int64) (refs [][]int64, missing int) {
	for _, id := range ids {
		if i, ok := slices.BinarySearch(l.ids, id); ok && l.refs[i] != nil {
			refs = append(refs, l.refs[i])
		} else {
			missing++
		}
	}
	return refs, missing
}
