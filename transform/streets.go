package transform

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/rating"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
	"quartier/transform/feature"
	"quartier/transform/issue"
	"quartier/transform/measures"
	"quartier/transform/measures/access"
	"quartier/transform/measures/edge"
	"quartier/transform/measures/measure"
	"quartier/transform/measures/score"
	"quartier/transform/network/channel"
	"quartier/transform/network/destination"
	"quartier/transform/network/drive"
	"quartier/transform/network/edges"
	"quartier/transform/network/ride"
	"quartier/transform/network/street"
	"quartier/transform/network/traffic"
	"quartier/transform/people/home"
	"quartier/transform/people/typology"
)

// streets is the state of the steps along the walking network of a region.
type streets struct {
	*measure.Region
	derived *duck.DB
	log     *slog.Logger
	report  *Report
	notes   map[string]string // by topic, of all steps of the region

	homes *home.Result
	land  edges.Land
	known *access.Known

	mapped struct{ lanes, calm bool } // whether the sources have them, before the edges are taken into account
	quiet  bool                       // whether quiet is given somewhere
}

// deriveStreets computes measures, scores and typologies along the streets of a region, whose geographies and POIs are
// written already. A region without streets has none of these.
func deriveStreets(ctx context.Context, staged, derived *duck.DB, land edges.Land, report *Report, notes map[string]string,
	log *slog.Logger) error {
	x := &streets{land: land, derived: derived, log: log, report: report, notes: notes}
	if err := x.step(ctx, "streets", func(ctx context.Context) ([]issue.Issue, error) { return x.readStreets(ctx, staged) }); err != nil {
		return err
	}
	if x.Region == nil {
		notes["streets"] = "no streets for walking: there are no measures, scores and typologies"
		return nil
	}
	type step struct {
		name string
		run  func(context.Context) ([]issue.Issue, error)
	}
	steps := []step{{"homes", x.deriveHomes}, {"destinations", x.deriveDestinations}, {"edges", x.deriveEdges}, {"traffic", x.deriveTraffic}}
	for _, s := range measures.Steps {
		steps = append(steps, step{s.Name, func(ctx context.Context) ([]issue.Issue, error) { return s.Derive(ctx, x.Region) }})
	}
	steps = append(steps, step{"edge", func(ctx context.Context) ([]issue.Issue, error) {
		x.mapped.lanes, x.mapped.calm = channel.Some(x.Quantities.BikeLanes), channel.Some(x.Quantities.LowStress)
		return edge.Derive(ctx, x.Region)
	}},
		step{"access", x.deriveAccess}, step{"scores", x.deriveScores}, step{"typologies", x.deriveTypologies},
		step{"notes", x.addNotes}, step{"write network", x.write})
	for _, s := range steps {
		if err := x.step(ctx, s.name, s.run); err != nil {
			return err
		}
	}
	return nil
}

// step runs a step, collects its issues and logs its duration.
func (x *streets) step(ctx context.Context, name string, run func(context.Context) ([]issue.Issue, error)) error {
	begun := time.Now()
	issues, err := run(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	x.report.Issues = append(x.report.Issues, issues...)
	x.log.Info(name, "seconds", fmt.Sprintf("%.1f", time.Since(begun).Seconds()))
	return nil
}

func (x *streets) readStreets(ctx context.Context, db *duck.DB) ([]issue.Issue, error) {
	c := calibration.Standard()
	net, issues, err := street.Read(ctx, db, c)
	if err != nil || net.Walk == nil || len(net.Own().Nodes) == 0 { // none, or those that neighbours lend
		return issues, err
	}
	x.report.StreetNodes, x.report.StreetEdges = len(net.Own().Nodes), len(net.Own().Edges)
	x.Region = measure.NewRegion(db, net, c)
	x.Region.Derived = x.derived
	return issues, nil
}

func (x *streets) deriveHomes(ctx context.Context) (issues []issue.Issue, err error) {
	if x.homes, issues, err = home.Derive(ctx, x.Staged, x.Network, x.Calibration); err != nil {
		return nil, err
	}
	maps.Copy(x.notes, x.homes.Notes)
	if x.homes.Density != nil {
		if err = x.homes.Density.Fill(ctx, x.Network.Walk.Nodes, x.Quantities); err != nil {
			return nil, err
		}
	}
	return issues, x.homes.Setting.Fill(ctx, x.Network.Walk.Nodes, x.Quantities)
}

func (x *streets) deriveTraffic(ctx context.Context) ([]issue.Issue, error) {
	c := &x.Calibration.Traffic
	var err error
	if x.Ground, err = edges.ReadStreetGround(ctx, x.Staged, x.Network.Streets, x.land, &x.Calibration.Coverage.Hull); err != nil {
		return nil, err
	}
	dwellings := func(p orb.Point, radiusM float64) (float64, bool) { // ground that no source knows is taken to be like the rest
		known := x.Ground.Known(p, radiusM)
		return x.homes.Setting.Dwellings(p, radiusM) / max(known, c.Setting.Known), known >= c.Setting.Known
	}
	if err := traffic.Assume(ctx, x.Network.Streets, dwellings, c); err != nil {
		return nil, err
	}
	notes, issues, err := traffic.Counted(ctx, x.Staged, x.Network.Streets, c)
	if err != nil {
		return nil, err
	}
	maps.Copy(x.notes, notes)
	x.Drive = drive.New(x.Network.Streets, x.Calibration.Walking)
	traffic.Pockets(x.Network.Streets, x.Drive, x.Edges.Leaves(x.Network.Walk.Nodes), &c.Pocket)
	return issues, nil
}

func (x *streets) deriveDestinations(ctx context.Context) (issues []issue.Issue, err error) {
	if x.Destinations, issues, err = destination.Derive(ctx, x.Staged, x.derived, x.Network, x.Calibration); err != nil {
		return nil, err
	}
	x.report.Destinations = len(x.Destinations.List)
	people := access.Population{People: int64(math.Round(x.homes.Counted + x.homes.Assumed)), Counted: x.homes.Counted > x.homes.Assumed,
		Around: int64(math.Round(x.homes.Around))}
	x.known = access.NewKnown(x.Destinations, people, &x.Calibration.Known)
	x.Known = x.known.Has
	return issues, x.Destinations.Write(ctx, x.derived, x.Network, x.Calibration.Walking.NoCreditM)
}

func (x *streets) deriveEdges(ctx context.Context) (_ []issue.Issue, err error) {
	x.Edges, err = edges.Derive(ctx, x.Staged, x.Network, x.Destinations, x.land, x.Calibration)
	return nil, err
}

func (x *streets) deriveAccess(ctx context.Context) ([]issue.Issue, error) {
	notes, err := access.Derive(ctx, x.Network, x.Drive, x.Destinations, x.known, x.Edges, x.Channels, x.Quantities, x.Calibration)
	if err != nil {
		return nil, err
	}
	for _, n := range notes {
		x.notes[n.Topic] = n.Text
	}
	if err := x.writeKnownGround(ctx); err != nil {
		return nil, err
	}
	classes, err := x.heardClasses(ctx)
	if err != nil {
		return nil, err
	}
	classes = append(slices.Clone(x.known.Classes), classes...)
	return nil, duck.WriteEach(ctx, x.derived, "region_class", classes, func(_ int, c schemas.RegionClass) (derived.RegionClass, error) {
		return derived.RegionClass{Class: c.Class, Places: c.Places, People: c.People, LentPlaces: c.LentPlaces, LentPeople: c.LentPeople,
			Counted: c.Counted, Verdict: string(c.Verdict), Accepted: c.Accepted}, nil
	})
}

// writeKnownGround writes where which categories of POIs are known.
func (x *streets) writeKnownGround(ctx context.Context) error {
	grounds, err := x.known.Grounds(ctx, x.Staged, x.derived, &x.Calibration.Coverage.Hull)
	if err != nil {
		return err
	}
	return duck.WriteEach(ctx, x.derived, "known_ground", grounds,
		func(_ int, g derived.KnownGround) (derived.KnownGround, error) { return g, nil })
}

// heardClasses are the verdicts on what is heard beside streets. It notes what the score quiet lacks.
func (x *streets) heardClasses(ctx context.Context) (classes []schemas.RegionClass, err error) {
	heard, err := feature.ReadHeard(ctx, x.Staged)
	if err != nil {
		return nil, err
	}
	var missing, accepted []string
	for _, class := range schemas.HeardClasses {
		h, c := heard[class], x.known.Classes[0] // whose people are those of all classes
		c.Class, c.Places, c.LentPlaces, c.LentPeople, c.Verdict, c.Accepted = class, h.Features, 0, 0, h.Verdict, h.Accepted
		classes = append(classes, c)
		switch {
		case h.Verdict.Known():
		case h.Accepted == "":
			missing = append(missing, class+" ("+h.Verdict.Meaning()+")")
		default:
			accepted = append(accepted, class+": "+h.Accepted)
		}
	}
	x.quiet = missing == nil
	switch {
	case missing != nil:
		x.notes["quiet"] = "quiet is absent, because what is heard beside streets is unknown: " + strings.Join(missing, ", ")
	case accepted != nil:
		x.notes["quiet"] = fmt.Sprintf("quiet is given without what is unknown, farther than %.0f m from what the sources show of it; %s",
			x.Calibration.Noise.ReachM, strings.Join(accepted, "; "))
	}
	return classes, nil
}

// has reports whether the sources of the region know a part of a composite score, wherever its edges are.
func (x *streets) has(part string) bool {
	enough := func(m *calibration.Moments) bool { return rating.NewErrands(x.Calibration, m, false, x.Known).Enough() }
	e := &x.Calibration.Estimates
	switch part {
	case "hills":
		return channel.Some(x.Quantities.SteepestPct)
	case "calm":
		return x.mapped.calm
	case "ramp":
		return len(x.Destinations.Ramps) > 0
	case "drive errands":
		return enough(e.Drive)
	case "pedestrian_friendly":
		return enough(e.Walk)
	case "cycling_friendly":
		return x.mapped.lanes && enough(e.Bicycle)
	case "quiet":
		return x.quiet
	case "parks":
		return x.Known("park")
	}
	for _, rule := range rating.NearestRules(x.Calibration, rating.NewDecay(x.Calibration.Walking)) {
		if rule.Channel == part {
			return x.Known(rule.Class)
		}
	}
	return true // of streets
}

func (x *streets) deriveScores(ctx context.Context) ([]issue.Issue, error) {
	return nil, score.Derive(ctx, x.Channels, x.Quantities, x.has, x.Calibration)
}

func (x *streets) deriveTypologies(ctx context.Context) ([]issue.Issue, error) {
	if x.homes.Density == nil {
		return nil, nil
	}
	cells, err := typology.Derive(ctx, x.Network, x.Channels, x.Quantities, x.homes.Density, x.Calibration)
	if err != nil {
		return nil, err
	}
	x.report.Typologies = len(cells)
	return nil, typology.Write(ctx, x.derived, cells)
}

// addNotes notes which data the sources do not have.
func (x *streets) addNotes(ctx context.Context) ([]issue.Issue, error) {
	x.noteElevation()
	if note := edge.Note(x.Region); note != "" {
		x.notes["edge"] = note
	}
	if err := x.noteTimetables(ctx); err != nil {
		return nil, err
	}
	x.notePaths()
	x.notes["schools"] = x.Destinations.SchoolNote()
	has, err := feature.HasLandCover(ctx, x.Staged)
	if err == nil && !has {
		x.notes["land"] = "no source has land use next to the streets: greenery and parking are absent"
	}
	return nil, err
}

// notePaths notes where the walking network lacks paths.
func (x *streets) notePaths() {
	switch {
	case x.Network.Bounded:
		x.notes["paths"] = fmt.Sprintf("not all paths, stairs and footbridges are known: a way on foot is at most %.4g times the straight line "+
			"where no water, motorway or railway is in between", x.Calibration.Walking.Detour)
	case !x.Network.HasPaths():
		x.notes["paths"] = "no source has paths, stairs and footbridges: the walking network consists of roads only"
	}
}

// noteElevation notes at how many nodes terrain is known, unless it is at all.
func (x *streets) noteElevation() {
	terrain := schemas.MustChannel("terrain_steepness")
	known, nodes := 0, x.Network.Own().Nodes
	for _, node := range nodes {
		if x.Channels.Row(int(node))[terrain] != schemas.AbsentValue {
			known++
		}
	}
	switch {
	case known == 0:
		x.notes["terrain"] = "no source has elevation data here: terrain and street steepness are absent"
	case known < len(nodes):
		x.notes["terrain"] = fmt.Sprintf("elevation data cover %d of %d nodes: terrain is absent at the others", known, len(nodes))
	}
}

// noteTimetables notes which week represents each timetable.
func (x *streets) noteTimetables(ctx context.Context) error {
	for t, err := range sqlrow.Select[staged.Timetable](ctx, x.Staged, "SELECT * FROM timetable ORDER BY source_id") {
		if err != nil {
			return fmt.Errorf("read timetables: %w", err)
		}
		x.notes["timetable "+t.SourceID] = fmt.Sprintf(
			"timetable of source %s runs from %s to %s; the week from %s with its %d trips represents it", t.SourceID, t.FirstDay, t.LastDay,
			t.Week, t.Trips)
	}
	return nil
}

func (x *streets) write(ctx context.Context) ([]issue.Issue, error) {
	if err := x.homes.Write(ctx, x.derived, x.Network.Own()); err != nil {
		return nil, err
	}
	x.Quantities.Beyond = x.Edges.Greatest()
	if err := x.Quantities.Write(ctx, x.derived, x.Network.Own().Nodes); err != nil {
		return nil, err
	}
	if err := x.Network.Write(ctx, x.derived, x.Channels); err != nil {
		return nil, err
	}
	if err := x.Drive.Write(ctx, x.derived, &x.Calibration.Scores.Drive); err != nil {
		return nil, err
	}
	return nil, ride.New(x.Network.Streets, x.Calibration).Write(ctx, x.derived)
}
