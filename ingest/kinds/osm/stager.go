package osm

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"quartier/ingest/formats/element"
	"quartier/ingest/kinds/osm/featuretags"
	"quartier/ingest/kinds/osm/groundtags"
	"quartier/ingest/kinds/osm/linetags"
	"quartier/ingest/kinds/osm/location"
	"quartier/ingest/kinds/osm/placetags"
	"quartier/ingest/kinds/osm/streettags"
	"quartier/ingest/source"
)

// stager reads one file in several passes.
type stager struct {
	source     string
	boundaries bool
	pois       bool
	lists      bool // lines of public transport
	streets    bool
	ground     bool
	levels     levelTable
	places     placetags.Rules
	ways       *streettags.Rules
	shapes     featuretags.Rules // empty: none are requested
	out        source.Sink

	objects      []*object        // relations, and ways that are boundaries, in file order
	lines        lines            // member ways of relations
	shores       []int64          // those that are the shore of a multipolygon of water, sorted
	borders      map[int64]string // kinds of the ways of countries and states
	coasts       [][]int64        // nodes of coastlines
	nodes        location.Store
	transit      transit
	stations     map[int64]station // whose kind is not tagged
	stationKinds linetags.Stations
	settlements  settlements
	rank         int                // of the place that names them
	found        source.Whereabouts // nodes up to the first one in Canada or the United States

	matches []featuretags.Match // of classify; reused
	drawn   []groundtags.Match  // of onGround; reused
}

// object is a relation or way with an outline, and what it is by its tags.
type object struct {
	kind     element.Kinds
	id       int64
	tags     map[string]string
	ways     []int64   // of a relation, sorted
	refs     [][]int64 // of a way: its nodes
	boundary bool
	place    bool
	features []featuretags.Match
	ground   []groundtags.Match
}

// where describes the object in messages.
func (f *object) where() string {
	return where(f.kind, f.id, f.tags["name"])
}

func where(kind element.Kinds, id int64, name string) string {
	if name == "" {
		return fmt.Sprintf("%s %d", kind, id)
	}
	return fmt.Sprintf("%s %d (%s)", kind, id, name)
}

func newStager(in source.Input, options Options) (*stager, error) {
	s := &stager{
		source:     in.Source,
		boundaries: enabled(options.Boundaries), pois: enabled(options.POIs), lists: enabled(options.Transit), streets: enabled(options.Streets),
		settlements: settlements{}, rank: -1, transit: transit{masters: map[int64][]int64{}, names: map[int64]string{}},
		stations: map[int64]station{}, stationKinds: linetags.Stations{}, borders: map[int64]string{},
	}
	s.ground = s.streets
	if options.Ground != nil {
		s.ground = *options.Ground
	}
	var err error
	if s.levels, err = newLevelTable(options.Levels); err != nil {
		return nil, optionFault("levels", "%v", err)
	}
	if s.places, err = placetags.NewRules(); err != nil {
		return nil, err
	}
	if s.ways, err = streettags.NewRules(); err != nil {
		return nil, err
	}
	s.shapes, err = featuretags.NewRules(options.Features)
	return s, err
}

func optionFault(option, format string, args ...any) error {
	var f source.Faults
	f.Option(true, option, format, args...)
	return f.Err()
}

func (s *stager) run(ctx context.Context, file element.File) error {
	if err := checkBox(file); err != nil {
		return err
	}
	tagged := func(kinds element.Kinds) element.Want { return element.Want{Kinds: kinds, Tags: true} }
	if err := file.Read(ctx, tagged(element.Nodes|element.Relations), s.readNodesAndRelations); err != nil {
		return err
	}
	if err := s.found.Err(); err != nil {
		return err
	}
	s.lines.freeze()
	slices.Sort(s.shores)
	if err := file.Read(ctx, tagged(element.Ways), s.readWays); err != nil {
		return err
	}
	if err := s.stageStations(); err != nil {
		return err
	}
	s.nodes.Freeze()
	if err := file.Read(ctx, element.Want{Kinds: element.Nodes}, s.readCoordinates); err != nil {
		return err
	}
	if s.boundaries {
		if err := s.stageBoundaries(ctx); err != nil {
			return err
		}
	}
	if err := s.stageTransit(); err != nil {
		return err
	}
	if !s.pois && !s.streets && len(s.shapes) == 0 && !s.ground {
		return nil
	}
	if err := file.Read(ctx, tagged(element.Ways), s.stageWays); err != nil {
		return err
	}
	if err := s.stageRelations(ctx); err != nil {
		return err
	}
	return s.stageOcean(file)
}

// readNodesAndRelations stages the nodes that are places or features and keeps the relations that are boundaries, places
// or features.
func (s *stager) readNodesAndRelations(b *element.Batch) error {
	for i := range b.Nodes {
		n := &b.Nodes[i]
		if s.found.Inside == 0 {
			s.found.Add(n.Point)
			s.nameOf(n)
		}
		if n.Tags.Len() == 0 {
			continue
		}
		s.settlements.add(n)
		if s.lists {
			s.readStop(n)
		}
		if s.pois && s.isPlace(element.Nodes, n.ID, n.Tags) {
			if s.stationKinds.Add(n.ID, n.Tags) {
				s.stations[n.ID] = station{tags: n.Tags.Map(), point: n.Point}
			} else if err := s.stagePlace(element.Nodes, n.ID, n.Tags.Map(), n.Point, nil); err != nil {
				return err
			}
		}
		if err := cmp.Or(s.stageNodeFeatures(n), s.stageNodeGround(n)); err != nil {
			return err
		}
	}
	for i := range b.Relations {
		r := &b.Relations[i]
		if s.lists {
			s.readRoute(r)
		}
		s.readRelation(r)
	}
	return nil
}

// checkBox returns an error if the box in the header of a file is outside of Canada and the United States.
func checkBox(file element.File) error {
	if box, known := file.Bound(); known {
		return source.CheckBox(box)
	}
	return nil
}

// nameOf names the data by the largest place that is mapped as a point.
func (s *stager) nameOf(n *element.Node) {
	rank := slices.Index([]string{"village", "town", "city", "state", "country"}, n.Tags.Get("place"))
	if name := cmp.Or(n.Tags.Get("name:en"), n.Tags.Get("name")); rank > s.rank && name != "" {
		s.rank, s.found.Place = rank, strings.Clone(name)
	}
}

// isPlace reports whether an element is a place to be staged, and counts one that has the tags of a place.
func (s *stager) isPlace(kind element.Kinds, id int64, tags element.Tags) bool {
	status := s.places.Classify(tags)
	if status == placetags.None {
		return false
	}
	s.out.Read(1)
	if status != placetags.Place {
		s.out.Issue(status.Reason(), where(kind, id, tags.Get("name")))
	}
	return status == placetags.Place
}

func (s *stager) readRelation(r *element.Relation) {
	kind := r.Tags.Get("type")
	if kind != "multipolygon" && kind != "boundary" {
		return
	}
	f := &object{kind: element.Relations, id: r.ID}
	f.boundary = s.boundaries && s.isBoundary(element.Relations, r.ID, r.Tags)
	f.place = s.pois && s.isPlace(element.Relations, r.ID, r.Tags)
	f.features = slices.Clone(s.classify(element.Relations, r.ID, r.Tags))
	f.ground = s.readGround(r)
	if !f.boundary && !f.place && len(f.features) == 0 && len(f.ground) == 0 {
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
	s.objects = append(s.objects, f)
	s.lines.want(f.ways)
	if slices.ContainsFunc(f.features, func(m featuretags.Match) bool { return m.Shape == featuretags.Shore }) {
		s.shores = append(s.shores, f.ways...)
	}
}

// readWays keeps the member ways of relations and the ways that are boundaries, and requests their nodes and those of
// ways to be staged.
func (s *stager) readWays(b *element.Batch) error {
	for i := range b.Ways {
		w := &b.Ways[i]
		s.stationKinds.AddTrack(w.Tags.Get("railway"), w.Refs)
		boundary := s.boundaries && w.Closed() && s.isBoundary(element.Ways, w.ID, w.Tags)
		if boundary {
			f := &object{kind: element.Ways, id: w.ID, boundary: true, tags: w.Tags.Map()}
			f.refs = [][]int64{slices.Clone(w.Refs)}
			s.objects = append(s.objects, f)
		}
		coast := s.ground && w.Tags.Get("natural") == "coastline"
		if coast {
			s.coasts = append(s.coasts, slices.Clone(w.Refs))
		}
		if needed := s.lines.put(w.ID, w.Refs); needed || boundary || coast || s.stages(w) {
			s.nodes.Locate(w.Refs, w.Points)
		}
	}
	return nil
}

// stages reports whether a way is staged by its tags.
func (s *stager) stages(w *element.Way) bool {
	if s.streets && s.ways.Classify(w.Tags) == streettags.Street || s.pois && w.Closed() && s.places.Classify(w.Tags) == placetags.Place ||
		len(s.onGround(element.Ways, w.Closed(), w.Tags)) > 0 {
		return true
	}
	s.matches = s.shapes.Classify(element.Ways, w.Tags, s.matches[:0])
	return slices.ContainsFunc(s.matches, func(m featuretags.Match) bool { return m.Reason.OK() })
}

func (s *stager) readCoordinates(b *element.Batch) error {
	for i := range b.Nodes {
		s.nodes.Put(b.Nodes[i].ID, b.Nodes[i].Point)
	}
	return nil
}
