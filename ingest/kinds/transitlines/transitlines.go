// Package transitlines is the kind for lines of public transport that are published without a timetable: the courses of
// lines as shapes, and lists of lines at stops. It reads one file of features into rows of staged.route, route_shape, stop
// and stop_service; options name the attributes.
package transitlines

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/reason"
)

var reasons reason.List

var (
	unknownMode  = reasons.Rejected("unknown_mode", "The option modes has no mode for the line, and there is no option mode.")
	noLineHere   = reasons.Noted("stop_without_lines", "The list of lines at the stop is empty.")
	excludedMode = source.ExcludedByOption.With("modes")
)

// Kind is the source kind "transit-lines".
var Kind = vector.Kind(source.Declaration[Options]{
	Kind:  "transit-lines",
	Title: "Lines of public transport without a timetable",
	Formats: []string{
		"courses of lines and stops in one file or in two sources: GeoJSON, ESRI shapefile, GeoPackage, GeoParquet; CSV with well-known text " +
			"or coordinates",
		"stops with a list of the lines that serve them: the same formats",
	},
	Yields:  []string{"line_list", "route", "route_shape", "stop", "stop_service"},
	Own:     &reasons,
	Reasons: []reason.Reason{source.MissingKey, source.MissingGeometry, source.WrongGeometryType, source.CoordinateInMinutes},
	Notes: "A line feature is a piece of the course of the line of its key; a point is a stop. A line counts once at its nearest stop, both " +
		"directions together, with departures assumed by its mode and, of a bus, its kind (docs/methods.md, 1.6), so that its pieces " +
		"need one key, of both directions. " +
		"The kind is that of the options kind_of and kinds; else the option direction and the stops beside the course show it; " +
		"else the line raises no score above 3. " +
		"A course serves the stops beside it: for buses those of the same source and the bus stops of all sources of the region, for rail the " +
		"stations of its kind; the stops of the same source too where all its lines are of one kind. " +
		"Where a source lists the lines at a stop (option lines), these decide, and a course of such a line is not used. " +
		"A line that a timetable of the region has as well (one of its kind and name within 400 m, or a complete timetable with lines of its " +
		"kind at most of its stops) counts by the timetable alone. " +
		"Beyond the lines of a list there is no public transport; where it has some of the lines only, set partial: a value is then known near " +
		"its stops alone. Modes are " + strings.Join(schemas.TransitModes, ", ") +
		". In place of an attribute, @id is the feature's own id and @row its number in the file.",
	Complete: (*Options).check,
}, vector.Features[Options]{
	File:   (*Options).file,
	Text:   true,
	Name:   func(o *Options, f vector.Feature) string { return f.Text(o.Key, o.KeyText) },
	Values: true,
	Stage:  stage,
})

// stage stages the features that the options select. Where a file is only checked, values without a mode are faults.
func stage(_ context.Context, r vector.Run[Options]) error {
	s := &stager{Options: *r.Options, source: r.In.Source, out: r.Out, known: map[string]bool{}, parts: map[string]int{}}
	s.patterns = slices.SortedFunc(maps.Keys(s.Kinds), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	listed := false
	err := r.Each(func(f vector.Feature) (reason.Reason, error) {
		if !listed {
			listed = true
			if err := r.Out.Row(source.LineList{Partial: s.Partial}); err != nil {
				return reason.Reason{}, err
			}
		}
		return s.feature(f)
	})
	if err != nil || !r.Check {
		return err
	}
	return s.unmapped.err(s.ModeOf)
}

// stager stages the features of a file.
type stager struct {
	Options
	source   string
	out      source.Sink
	known    map[string]bool // lines that are staged
	parts    map[string]int  // of the course of each line
	unmapped unmapped
	patterns []string // of kinds, the longest first
}

func (s *stager) feature(f vector.Feature) (reason.Reason, error) {
	if !f.Fault.OK() {
		return f.Fault, nil
	}
	switch g := f.Geometry.(type) {
	case nil:
		return source.MissingGeometry, nil
	case orb.Point:
		return s.stop(f, g)
	case orb.LineString:
		return s.course(f, orb.MultiLineString{g})
	case orb.MultiLineString:
		if len(g) == 0 {
			return source.MissingGeometry, nil
		}
		return s.course(f, g)
	}
	return source.WrongGeometryType, nil
}

// course stages a piece of the course of a line, and the line if it is new.
func (s *stager) course(f vector.Feature, pieces orb.MultiLineString) (reason.Reason, error) {
	id := f.Text(s.Key, s.KeyText)
	if id == "" {
		return source.MissingKey, nil
	}
	key, why, err := s.line(f, id, f.Text(s.Name, s.NameText), f.Value(s.ModeOf), f.Value)
	if !why.OK() || err != nil {
		return why, err
	}
	for _, piece := range pieces {
		row := source.RouteShape{RouteKey: key, Part: s.parts[key], Direction: f.Value(s.Direction), Line: piece}
		s.parts[key]++
		if err := s.out.Row(row); err != nil {
			return why, err
		}
	}
	return why, nil
}

// stop stages a stop and the lines that it lists.
func (s *stager) stop(f vector.Feature, at orb.Point) (reason.Reason, error) {
	id := f.Text(s.StopKey, "")
	if id == "" {
		id = f.Value("@row")
	}
	row := source.Stop{SourceKey: s.key(id), Name: f.Text(s.StopName, ""), NameFR: f.Text(s.StopNameFR, ""), Lng: at[0], Lat: at[1]}
	if row.Name == "" {
		row.Name = id
	}
	if row.NameFR == row.Name {
		row.NameFR = ""
	}
	if err := s.out.Row(row); err != nil || s.Lines == "" {
		return reason.Reason{}, err
	}
	names := s.split(f.Value(s.Lines))
	if len(names) == 0 {
		return noLineHere, nil
	}
	var listed []string
	for _, name := range names {
		s.out.Read(1) // an entry of a list is a row
		mode := name
		if s.ModeOf != "" && s.ModeOf != s.Lines {
			mode = f.Value(s.ModeOf)
		}
		key, why, err := s.line(f, name, name, mode, func(attribute string) string {
			if attribute == s.Lines {
				return name
			}
			return f.Value(attribute)
		})
		if err != nil {
			return why, err
		}
		if !why.OK() {
			s.out.Issue(why, f.Where(name))
			continue
		}
		if slices.Contains(listed, key) {
			continue
		}
		listed = append(listed, key)
		if err := s.out.Row(source.StopService{StopKey: row.SourceKey, RouteKey: key}); err != nil {
			return why, err
		}
	}
	return reason.Reason{}, nil
}

// line stages a line unless it is staged already, and returns its key. value reads the attributes of its kind.
func (s *stager) line(f vector.Feature, id, name, modeOf string, value func(attribute string) string) (
	key string, why reason.Reason, err error) {
	mode, mapped := s.Modes[modeOf]
	switch {
	case mode == skip:
		return "", excludedMode, nil
	case !mapped && s.Mode == "":
		s.unmapped.add(modeOf, f.Where(id))
		return "", unknownMode.With(modeOf), nil
	case !mapped:
		mode = s.Mode
	}
	key = s.key(id)
	if s.known[key] {
		return key, why, nil
	}
	s.known[key] = true
	if name == "" {
		name = id
	}
	return key, why, s.out.Row(source.Route{SourceKey: key, Name: name, Agency: s.Agency, Ends: s.ends(f), Mode: mode, Kind: s.kind(value)})
}

// kind is the kind of a line: that of the first attribute with a value in kinds, as it is or else by the longest pattern.
func (s *stager) kind(value func(attribute string) string) string {
	for _, attribute := range s.KindOf {
		v := value(attribute)
		if kind, exact := s.Kinds[v]; exact {
			return kind
		}
		for _, pattern := range s.patterns {
			if ok, _ := path.Match(pattern, v); ok {
				return s.Kinds[pattern]
			}
		}
	}
	return ""
}

// ends are the names of the ends of a line; "" where the source does not have both.
func (s *stager) ends(f vector.Feature) string {
	if s.From == "" || s.To == "" || f.Value(s.From) == "" || f.Value(s.To) == "" {
		return ""
	}
	return f.Value(s.From) + " – " + f.Value(s.To)
}

// split is the list of lines at a stop.
func (s *stager) split(text string) (lines []string) {
	separators := ",;"
	if s.Separator != "" {
		separators = s.Separator
	}
	for _, name := range strings.FieldsFunc(strings.Trim(text, "[]"), func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		if name = strings.Trim(name, " \t\""); name != "" {
			lines = append(lines, name)
		}
	}
	return lines
}

// key returns the key of a line or stop in the staged tables.
func (s *stager) key(id string) string { return "lines:" + s.source + ":" + id }
