// Package cycling is the kind for cities' own cycling networks, whose classes differ from city to city: an option maps the
// values of the city's columns to six classes. It reads one file of lines, or of points with a length, into rows of
// staged.bikeway.
package cycling

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/reason"
)

var reasons reason.List

var (
	missingLength = reasons.Rejected("missing_length",
		"The piece is a point, and its length is missing or not a positive number of at most 100 km.")
	lengthRemoved = reasons.Repaired("invalid_length_removed",
		"The length of a line is not a positive number of at most 100 km and was removed; that of its drawing is used.")
)

// Kind is the source kind "cycling-network".
var Kind = vector.Kind(source.Declaration[Options]{
	Kind:  "cycling-network",
	Title: "Cycling networks of cities",
	Formats: []string{
		"lines in an ESRI shapefile (.shp with .dbf, .prj and .cpg), plain or in a .zip", "GeoJSON feature collection of lines",
		"GeoPackage or GeoParquet of lines",
		"CSV with well-known text of lines, or with a point and the length of each piece",
	},
	Yields:  []string{"bikeway"},
	Own:     &reasons,
	Reasons: []reason.Reason{source.MissingGeometry, source.CoordinateInMinutes},
	Notes: "The option classes maps the values of one or more columns to classes: " + classList() + ". " +
		"For example `classes: {TYPE: {Cycle Track: protected, Bike Lane: painted, \"*\": none}}`. Values are compared without regard to case; " +
		"\"*\" is every value that is not listed, \"\" a piece without a value in any of the columns. " +
		"A piece with several columns has the best of their classes; ignore, in any of them, leaves it out. " +
		"A value without a class is an error, which names it: a network is not read with a part of it missing.\n" +
		"A street or path counts once, however often it is drawn: where a line runs beside a better or equal one (within 25 m, at most 30° " +
		"apart), as the lanes on both sides of a street, " +
		"the path of another source or a second drawing of the same lane do, it adds nothing. The best class counts, of whichever source. " +
		"A point stands for a piece of unknown direction: its length is spread over two lines through it. Where sources have lines as well, " +
		"the greater length of a weight counts.\n" +
		"Pieces that are planned or closed in winter are left out with where or unless. Layouts are ready mappings of cities' files " +
		"(ingest/kinds/cycling/layouts.yaml):\n" + mappings(),
	Complete: (*Options).complete,
}, vector.Features[Options]{
	File:   (*Options).file,
	Text:   true,
	Values: true,
	Stage:  stage,
})

// stage stages the pieces that the options select. It fails at the end if any has a value without a class.
func stage(_ context.Context, r vector.Run[Options]) error {
	var unknown unknownValues
	err := r.Each(func(f vector.Feature) (reason.Reason, error) {
		class, known := r.Options.class(f, &unknown)
		if !known {
			return reason.Reason{}, nil
		}
		length := r.Options.length(f)
		if why := whyNot(f, class, length); !why.OK() {
			return why, nil
		}
		if text := f.Value(r.Options.Length); length == nil && text != "" {
			r.Out.Issue(lengthRemoved, f.Where(text))
		}
		return reason.Reason{}, pieces(f.Geometry, func(number int, g orb.Geometry) error {
			row := source.Bikeway{Key: strconv.Itoa(f.Row), Class: class, LengthM: length, Geometry: g}
			if number > 0 {
				row.Key += ":" + strconv.Itoa(number+1)
				row.LengthM = nil // that of the first is of all
			}
			return r.Out.Row(row)
		})
	})
	if err != nil {
		return err
	}
	return unknown.err()
}

// classList lists the classes for DATA.md.
func classList() string {
	var texts []string
	for _, c := range schemas.BikewayClasses {
		texts = append(texts, c.ID+" ("+c.Means+")")
	}
	return strings.Join(texts, "; ")
}

// mappings lists the layouts for DATA.md: a line for each, with the values of each class.
func mappings() string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(layouts)) {
		o := layouts[name]
		var texts []string
		for _, column := range slices.Sorted(maps.Keys(o.Classes)) {
			values := map[string][]string{} // by class
			for value, class := range o.Classes[column] {
				values[class] = append(values[class], fmt.Sprintf("`%q`", value))
			}
			var classes []string
			for _, class := range slices.Sorted(maps.Keys(values)) {
				slices.Sort(values[class])
				classes = append(classes, class+" "+strings.Join(values[class], ", "))
			}
			texts = append(texts, "`"+column+"`: "+strings.Join(classes, "; "))
		}
		lines = append(lines, "layout `"+name+"`: "+strings.Join(texts, ". ")+".")
	}
	return strings.Join(lines, "\n")
}

// whyNot returns why a piece is not staged.
func whyNot(f vector.Feature, class string, length *float64) reason.Reason {
	if class == ignore {
		return source.ExcludedByOption.With("classes")
	}
	if !f.Fault.OK() {
		return f.Fault
	}
	switch g := f.Geometry.(type) {
	case nil:
		return source.MissingGeometry
	case orb.MultiLineString:
		if len(g) == 0 {
			return source.MissingGeometry
		}
	case orb.Point:
		if length == nil {
			return missingLength
		}
	case orb.LineString:
	default:
		return source.WrongGeometryType
	}
	return reason.Reason{}
}

// pieces visits the lines of a geometry, or its point.
func pieces(g orb.Geometry, visit func(number int, g orb.Geometry) error) error {
	lines, several := g.(orb.MultiLineString)
	if !several {
		return visit(0, g)
	}
	for i, line := range lines {
		if err := visit(i, line); err != nil {
			return err
		}
	}
	return nil
}
