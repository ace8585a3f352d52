// Package roads is the kind for road networks that are not OpenStreetMap's: Statistics Canada's road network file,
// TIGER/Line roads, a city's own centre lines. In goes one vector file with options that say which attribute is what;
// out come rows of staged.street that meet where their vertices lie together.
package roads

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

var reasons reason.List

var (
	unmappedClass = reasons.Rejected("unmapped_class", "The class of the road is not in the option classes, and class_else is absent.")
	planned       = reasons.Skipped("planned_road", "The road is planned.")
	notARoad      = reasons.Skipped("not_a_road", "The line is not a road, such as a railway or an internal line of the publisher.")
	unknownClass  = reasons.Repaired("unknown_class_defaulted", "The class of the road is not known; it is staged as unclassified.")
)

// Kind is the source kind "roads".
type Kind struct{}

// Info describes the kind.
func (Kind) Info() source.Info {
	return source.Info{
		Kind:  "roads",
		Title: "Road networks of statistical offices and cities",
		Formats: []string{
			"Statistics Canada road network file (lrnf000r21a_e and the like)", "TIGER/Line roads and edges of the US Census Bureau",
			"lines in an ESRI shapefile (.shp with .dbf, .prj and .cpg), plain or in a .zip", "GeoJSON feature collection of lines", "GeoPackage of lines",
		},
		Yields:  []string{"street"},
		Options: Options{},
		Reasons: slices.Concat(reasons, vector.Reasons(), []reason.Reason{source.MissingGeometry, source.MissingKey, source.LanesRemoved, source.SpeedLimitRemoved}),
		Notes: "Layouts: " + strings.Join(layoutNames(), ", ") + ". Streets meet where vertices lie together. " +
			"One does not walk on motorways, trunk roads and their ramps. " +
			"Of Statistics Canada's classes, highways are motorways where their rank is of the national system and trunk roads elsewhere, " +
			"a connector is a motorway ramp where it leads to a highway, and a bridge or tunnel is of the class of the road that goes on at its ends " +
			"(held as a bridge: the file does not tell the two apart); rapid transit ways and planned roads are left out. " +
			"Its rank lifts the class of a street and may be absent, as in files since 2023. Types and directions are written out: French types before the name, English ones behind it. " +
			"Neither publisher tells one-way streets, lanes or speeds.",
	}
}

// Stage reads the file.
func (Kind) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	o, err := options(in)
	if err != nil {
		return err
	}
	layer, err := vector.Open(in.Path, vector.Options{Layer: o.Layer, CRS: o.CRS, Encoding: o.Encoding})
	if err != nil {
		return err
	}
	defer layer.Close()
	s := &stage{settings: o, out: out, layer: layer, ends: ends{}}
	if layer.FieldsKnown {
		if err := s.complain(); err != nil {
			return err
		}
	}
	if err := layer.Read(ctx, s.feature); err != nil {
		return err
	}
	switch {
	case s.read == 0:
		return layer.Bad("there are no features in it")
	case !s.lines:
		return layer.Bad("there are no lines in it")
	}
	if err := s.complain(); err != nil {
		return err
	}
	return s.release(ctx)
}

// stage is one run of the kind.
type stage struct {
	settings
	out   source.Sink
	layer *vector.Layer
	read  int
	lines bool // some feature has one
	ends  ends
	held  []held
}

// complain names the columns that are missing.
func (s *stage) complain() error {
	return s.layer.CheckFields(s.wanted()...)
}

// feature stages the lines of a feature, or holds them until their neighbours are known.
func (s *stage) feature(f vector.Feature) error {
	s.read++
	s.out.Read(1)
	lines := linesOf(f.Geometry)
	s.lines = s.lines || len(lines) > 0
	name := s.name(f)
	here := strings.TrimSpace(fmt.Sprintf("feature %d %s", f.Row, name))
	key := f.Text(s.Key, "")
	verdict := s.judge(f)
	switch {
	case !f.Fault.OK():
		s.out.Issue(f.Fault, here)
		return nil
	case len(lines) == 0:
		s.out.Issue(source.MissingGeometry, here)
		return nil
	case !s.touches(f.Geometry):
		s.out.Issue(source.OutsideBBox, here)
		return nil
	case !verdict.skip.OK():
		s.out.Issue(verdict.skip, here)
		return nil
	case verdict.class == "" && verdict.follows == nothing:
		s.out.Issue(unmappedClass, here)
		return nil
	case key == "":
		s.out.Issue(source.MissingKey, here)
		return nil
	}
	if !verdict.repair.OK() {
		s.out.Issue(verdict.repair, here)
	}
	row := s.row(f, verdict, name, here)
	for i, line := range lines {
		row.Key, row.Line = s.Scheme+":"+key, line
		if i > 0 {
			row.Key += fmt.Sprintf(":%d", i+1)
		}
		if err := s.put(row, verdict); err != nil {
			return err
		}
	}
	return nil
}

// row is all of a street but its key and its line.
func (s *stage) row(f vector.Feature, v verdict, name, here string) source.Street {
	row := source.Street{Name: name, NameFR: f.Text(s.NameFR, ""), Bridge: v.bridge || truth(f, s.Bridge), Tunnel: truth(f, s.Tunnel)}
	if row.NameFR == row.Name {
		row.NameFR = ""
	}
	var readable [2]bool
	row.Lanes, readable[0] = s.lanes(f)
	row.SpeedKMH, readable[1] = s.speed(f)
	for i, why := range [...]reason.Reason{source.LanesRemoved, source.SpeedLimitRemoved} {
		if !readable[i] {
			s.out.Issue(why, here)
		}
	}
	setClass(&row, v.class)
	if row.Car == "both" {
		row.Car = s.direction(f)
	}
	return row
}

// linesOf are the lines of a geometry.
func linesOf(g orb.Geometry) []orb.LineString {
	switch g := g.(type) {
	case orb.LineString:
		return []orb.LineString{g}
	case orb.MultiLineString:
		return g
	case orb.Collection:
		var lines []orb.LineString
		for _, member := range g {
			lines = append(lines, linesOf(member)...)
		}
		return lines
	}
	return nil
}
