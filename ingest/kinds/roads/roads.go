// Package roads is the kind for road networks of other publishers than OpenStreetMap: Statistics Canada's road network
// file, TIGER/Line roads, centre lines of a city. It reads one vector file into rows of staged.street, which connect where
// they share vertices; options name the attributes.
package roads

import (
	"context"
	"fmt"
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

// kind has beside a declaration whether a file has footpaths.
type kind struct{ source.Declaration[settings] }

// Footpaths reports whether the option footpaths says that the file has them.
func (k kind) Footpaths(in source.Input) bool {
	o, err := k.Settings(in)
	return err == nil && o.Footpaths
}

// Kind is the source kind "roads".
var Kind = kind{vector.Kind(source.Declaration[settings]{
	Kind:  "roads",
	Title: "Road networks of statistical offices and cities",
	Formats: []string{
		"road network file of Statistics Canada (such as lrnf000r21a_e)", "TIGER/Line roads and edges of the US Census Bureau",
		"lines in an ESRI shapefile (.shp with .dbf, .prj and .cpg), plain or in a .zip", "GeoJSON feature collection of lines",
		"GeoPackage or GeoParquet of lines",
	},
	Yields:  []string{"street"},
	Own:     &reasons,
	Reasons: []reason.Reason{source.MissingGeometry, source.MissingKey, source.LanesRemoved, source.SpeedLimitRemoved},
	Notes: "Layouts: " + source.LayoutNames(layouts) + ". Streets connect where they share vertices. " +
		"Pedestrians are not allowed on motorways, trunk roads and their ramps.\n" +
		"In Statistics Canada's file, a highway is a motorway where its rank is in the national system and a trunk road elsewhere, " +
		"a connector is a motorway ramp where it leads to a highway, and a bridge or tunnel has the class of the road that it continues " +
		"(it is staged as a bridge, because the file does not distinguish the two); rapid transit ways and planned roads are skipped. " +
		"The rank raises the class of a street; files since 2023 do not have it. Types and directions are written in full, French types before " +
		"the name and English ones after it. " +
		"Neither publisher gives one-way streets, lanes or speed limits.",
	Options: Options{},
	Decode:  options,
}, vector.Features[settings]{
	File:  (*settings).file,
	Name:  func(o *settings, f vector.Feature) string { return o.name(f) },
	Stage: run,
})}

func run(ctx context.Context, r vector.Run[settings]) error {
	s := &stage{settings: *r.Options, out: r.Out, ends: ends{}}
	err := r.Each(s.feature)
	switch {
	case err != nil:
		return err
	case !s.lines:
		return s.file(r.In).Bad("it has no lines")
	}
	return s.stagePending(ctx)
}

// stage is one run of the kind.
type stage struct {
	settings
	out     source.Sink
	lines   bool // whether any feature has a line
	ends    ends
	pending []pendingStreet // streets whose class depends on others
}

// feature stages the lines of a feature, or keeps them until the streets that they connect to are known.
func (s *stage) feature(f vector.Feature) (reason.Reason, error) {
	lines := linesOf(f.Geometry)
	s.lines = s.lines || len(lines) > 0
	name := s.name(f)
	here := strings.TrimSpace(fmt.Sprintf("feature %d %s", f.Row, name))
	key := f.Text(s.Key, "")
	classification := s.classify(f)
	if why := s.whyNot(f, lines, classification, key); !why.OK() {
		return why, nil
	}
	if !classification.repair.OK() {
		s.out.Issue(classification.repair, here)
	}
	row := s.row(f, classification, name, here)
	for i, line := range lines {
		row.Key, row.Line = s.Scheme+":"+key, line
		if i > 0 {
			row.Key += fmt.Sprintf(":%d", i+1)
		}
		if err := s.put(row, classification); err != nil {
			return reason.Reason{}, err
		}
	}
	return reason.Reason{}, nil
}

// whyNot returns why a feature is not staged.
func (s *stage) whyNot(f vector.Feature, lines []orb.LineString, v classification, key string) reason.Reason {
	switch {
	case !f.Fault.OK():
		return f.Fault
	case len(lines) == 0:
		return source.MissingGeometry
	case !v.skip.OK():
		return v.skip
	case v.class == "" && v.follows == nothing:
		return unmappedClass
	case key == "":
		return source.MissingKey
	}
	return reason.Reason{}
}

// row converts a feature to a street without key and line.
func (s *stage) row(f vector.Feature, v classification, name, here string) source.Street {
	row := source.Street{Name: name, NameFR: f.Text(s.NameFR, ""), Bridge: v.bridge || isTrue(f, s.Bridge), Tunnel: isTrue(f, s.Tunnel)}
	if row.NameFR == row.Name {
		row.NameFR = ""
	}
	var valid [2]bool
	row.Lanes, valid[0] = s.lanes(f)
	row.SpeedKMH, valid[1] = s.speed(f)
	for i, why := range [...]reason.Reason{source.LanesRemoved, source.SpeedLimitRemoved} {
		if !valid[i] {
			s.out.Issue(why, here)
		}
	}
	setClass(&row, v.class)
	if row.Car == "both" {
		row.Car = s.direction(f)
	}
	return row
}

// linesOf returns the lines of a geometry.
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
