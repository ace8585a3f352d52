package transform

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"time"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/feature"
	"quartier/transform/issue"
	"quartier/transform/measures/access"
	"quartier/transform/measures/cycling"
	"quartier/transform/measures/land"
	"quartier/transform/measures/noise"
	"quartier/transform/measures/score"
	"quartier/transform/measures/streetform"
	"quartier/transform/measures/terrain"
	"quartier/transform/network/channel"
	"quartier/transform/network/destination"
	"quartier/transform/network/street"
	"quartier/transform/people/home"
	"quartier/transform/people/typology"
)

// streets is what is worked out for the walking network of a region, step by step.
type streets struct {
	staged, derived *duck.DB
	c               *calibration.Calibration
	log             *slog.Logger
	report          *Report

	net    *street.Network
	m      *channel.Matrix
	s      *channel.Quantities
	homes  *home.Result
	set    *destination.Set
	reach  *access.Reach
	ground map[string]string // rows of derived.ground, shared with other steps
}

// deriveStreets works out measures, scores and typologies along the streets of a region. Its geographies and POIs are
// written already. A region without streets has none of it. What a reader should know is added to ground.
func deriveStreets(ctx context.Context, staged, derived *duck.DB, report *Report, ground map[string]string, log *slog.Logger) error {
	x := &streets{staged: staged, derived: derived, c: calibration.Standard(), log: log, report: report, ground: ground}
	if err := x.step(ctx, "streets", x.read); err != nil {
		return err
	}
	if x.net.Walk == nil {
		x.ground["streets"] = "no streets to walk on: there are no measures, scores and typologies"
		return nil
	}
	for _, step := range []struct {
		name string
		run  func(context.Context) ([]issue.Issue, error)
	}{
		{"homes", x.settle},
		{"noise", x.surround(noise.Derive)},
		{"terrain", x.surround(terrain.Derive)},
		{"street form", x.form},
		{"cycling", x.cycle},
		{"destinations", x.find},
		{"land", x.land},
		{"access", x.walk},
		{"scores", x.compose},
		{"typologies", x.classify},
		{"ground", x.remark},
		{"write network", x.write},
	} {
		if err := x.step(ctx, step.name, step.run); err != nil {
			return err
		}
	}
	return nil
}

// step runs a step, keeps its issues and tells how long it took.
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

func (x *streets) read(ctx context.Context) (issues []issue.Issue, err error) {
	if x.net, issues, err = street.Read(ctx, x.staged, x.c); err != nil || x.net.Walk == nil {
		return issues, err
	}
	x.report.StreetNodes, x.report.StreetEdges = len(x.net.Walk.Nodes), len(x.net.Walk.Edges)
	x.m, x.s = channel.NewMatrix(len(x.net.Walk.Nodes)), &channel.Quantities{}
	return issues, nil
}

func (x *streets) settle(ctx context.Context) (issues []issue.Issue, err error) {
	if x.homes, issues, err = home.Derive(ctx, x.staged, x.net, x.c); err != nil {
		return nil, err
	}
	maps.Copy(x.ground, x.homes.Notes)
	if x.homes.Density != nil {
		err = x.homes.Density.Fill(ctx, x.net.Walk.Nodes, x.s)
	}
	return issues, err
}

// surround is a step that works out what lies around every node.
func (x *streets) surround(derive func(context.Context, *duck.DB, *street.Network, *channel.Matrix, *channel.Quantities, *calibration.Calibration) ([]issue.Issue, error)) func(context.Context) ([]issue.Issue, error) {
	return func(ctx context.Context) ([]issue.Issue, error) { return derive(ctx, x.staged, x.net, x.m, x.s, x.c) }
}

func (x *streets) form(ctx context.Context) ([]issue.Issue, error) {
	return streetform.Derive(ctx, x.staged, x.net, x.m, x.c)
}

func (x *streets) cycle(ctx context.Context) ([]issue.Issue, error) {
	return cycling.Derive(ctx, x.staged, x.net, x.s, x.c)
}

func (x *streets) land(ctx context.Context) ([]issue.Issue, error) {
	var shops []orb.Point
	seen := map[string]bool{}
	for _, class := range x.c.Access.Frontage.Classes {
		for _, d := range x.set.Of(class) {
			if !seen[d.Key] {
				seen[d.Key] = true
				shops = append(shops, d.Point)
			}
		}
	}
	return land.Derive(ctx, x.staged, x.net, x.s, shops, x.c)
}

func (x *streets) find(ctx context.Context) (issues []issue.Issue, err error) {
	if x.set, issues, err = destination.Derive(ctx, x.staged, x.derived, x.net, x.c); err != nil {
		return nil, err
	}
	x.report.Destinations = len(x.set.List)
	return issues, x.set.Write(ctx, x.derived)
}

func (x *streets) walk(ctx context.Context) ([]issue.Issue, error) {
	reach, notes, err := access.Derive(ctx, x.net, x.set, x.m, x.c)
	if err != nil {
		return nil, err
	}
	x.reach = reach
	for _, n := range notes {
		x.ground[n.What] = n.Text
	}
	return nil, nil
}

func (x *streets) compose(ctx context.Context) ([]issue.Issue, error) {
	return nil, score.Derive(ctx, x.m, x.s, x.reach, x.c)
}

func (x *streets) classify(ctx context.Context) ([]issue.Issue, error) {
	if x.homes.Density == nil {
		return nil, nil
	}
	cells, err := typology.Derive(ctx, x.net, x.m, x.s, x.homes.Density, x.c)
	if err != nil {
		return nil, err
	}
	x.report.Typologies = len(cells)
	return nil, typology.Write(ctx, x.derived, cells)
}

// remark notes what lies around the streets that no source tells.
func (x *streets) remark(ctx context.Context) ([]issue.Issue, error) {
	x.remarkHeights()
	if err := x.remarkTimetables(ctx); err != nil {
		return nil, err
	}
	if !x.net.HasPaths() {
		x.ground["paths"] = "no source tells paths, stairs and footbridges: one walks along roads alone"
	}
	told, err := feature.LandCovered(ctx, x.staged)
	if err == nil && !told {
		x.ground["land"] = "no source tells the ground beside the streets: nothing is told of greenery and parking, nor of trains and aircraft where none is heard"
	}
	return nil, err
}

// remarkHeights notes at how many nodes terrain is known.
func (x *streets) remarkHeights() {
	terrain, _ := schemas.ChannelOf("terrain_steepness")
	known := 0
	for node := range x.m.Nodes {
		if x.m.Row(node)[terrain] != schemas.AbsentValue {
			known++
		}
	}
	switch {
	case known == 0:
		x.ground["terrain"] = "no source tells heights here: nothing is told of terrain and steep streets"
	case known < x.m.Nodes:
		x.ground["terrain"] = fmt.Sprintf("heights are known around %d of %d nodes: nothing is told of terrain at the others", known, x.m.Nodes)
	}
}

// remarkTimetables notes what week stands for each timetable, and what days it is of.
func (x *streets) remarkTimetables(ctx context.Context) error {
	rows, err := x.staged.QueryContext(ctx, "SELECT source_id, first_day, last_day, week, trips FROM timetable ORDER BY source_id")
	if err != nil {
		return fmt.Errorf("read timetables: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var source, first, last, week string
		var trips int64
		if err := rows.Scan(&source, &first, &last, &week, &trips); err != nil {
			return fmt.Errorf("read timetables: %w", err)
		}
		x.ground["timetable "+source] = fmt.Sprintf("timetable of source %s runs from %s to %s; the week from %s with its %d trips stands for it", source, first, last, week, trips)
	}
	return rows.Err()
}

func (x *streets) write(ctx context.Context) ([]issue.Issue, error) {
	if err := x.homes.Write(ctx, x.derived); err != nil {
		return nil, err
	}
	return nil, x.net.Write(ctx, x.derived, x.m)
}
