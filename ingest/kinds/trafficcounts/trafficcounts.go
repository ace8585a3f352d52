// Package trafficcounts is the kind for counts of road traffic: sections with a volume a day, counting points of cities, and
// detectors with counts by interval. It reads features or a table, and the intervals of a second file, into rows of
// staged.traffic_count; transform finds the streets that they are of.
package trafficcounts

import (
	"context"

	"quartier/ingest/formats/table"
	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

var reasons reason.List

var (
	noVolume      = reasons.Skipped("missing_volume", "The count has no volume, or 0, which publishers write for unknown.")
	invalidVolume = reasons.Rejected("invalid_volume", "The volume is not a number from 0 to 500,000 vehicles a day.")
	heavyRemoved  = reasons.Repaired("invalid_heavy_removed",
		"The number or share of heavy vehicles is not a number, or more than all vehicles, and was removed.")
	unknownTravel = reasons.Repaired("unknown_heading_removed",
		"The direction of travel is neither a point of the compass nor degrees, and was removed.")
	noFullDay  = reasons.Skipped("no_full_day", "The detector has no day with counts of enough intervals.")
	partOfRoad = reasons.Skipped("lane_without_count",
		"Another lane of the same road and direction has no count, so that their sum is unknown.")
	unknownPlace = reasons.Skipped("counts_without_detector", "The counts are of a detector that the other file does not have.")
	badInterval  = reasons.Rejected("invalid_interval",
		"The row of counts has no detector, no time as YYYYMMDDhhmm, with or without separators, or no number of vehicles.")
	duplicateInterval = reasons.Skipped("duplicate_interval", "Another row has counts of the same detector and time; the first one is used.")
	lanesDiffer       = reasons.Repaired("differing_lanes_removed",
		"Lanes of one road and direction differ in their speed limit, class, heading or in being of one direction alone, which was removed.")
	otherLines = reasons.Repaired("other_lines_removed", "The count is of several lines, of which the longest was kept.")
)

// Kind is the source kind "traffic-counts".
var Kind = vector.Kind(source.Declaration[Options]{
	Kind:  "traffic-counts",
	Title: "Counts of road traffic",
	Formats: []string{
		"sections of the Highway Performance Monitoring System (HPMS) as shapefile, GeoPackage, GeoParquet or GeoJSON",
		"mid-block volumes of cities: features with points or lines, or delimited text with coordinates or well-known text",
		"detectors by lane as features, with a second file of counts by interval: JSON array of objects, or delimited text",
	},
	Yields: []string{"traffic_count"},
	Own:    &reasons,
	Reasons: append(table.Reasons(), source.MissingKey, source.MissingGeometry, source.WrongGeometryType, source.LanesRemoved,
		source.SpeedLimitRemoved),
	Notes: "A count is vehicles a day as a mean over the year (AADT), in both directions together unless per_direction or the attribute " +
		"one_way says otherwise; factor converts other volumes. " +
		"Counts take precedence over the traffic that is assumed for the class of a street and its setting. Transform finds the street of a " +
		"count by distance, bearing, name and class, and applies it along the same road up to the next count. " +
		"Detectors: path is a folder, file the features and counts the intervals in it. The intervals of a day are added up; a day counts if " +
		"it has day_share of them, and is scaled up to all of them; the days that count are averaged as they are, whether weekdays or not. " +
		"group names the attributes that the lanes of one road and direction have in common: they are added up, and left out if a lane has no " +
		"count or counted nothing all day. " +
		"Layout hpms has the columns of HPMS from 2014 on, also as shapefiles shorten them: heavy vehicles are single-unit and combination " +
		"trucks. Layouts: " + source.LayoutNames(layouts) + ".",
	Complete: (*Options).complete,
}, vector.Features[Options]{
	File: (*Options).file,
	Name: func(o *Options, f vector.Feature) string { return f.Text(o.Key, "") },
	Check: func(ctx context.Context, in source.Input, o *Options) error {
		if o.Counts == "" {
			return nil
		}
		_, err := readDays(ctx, in, o, nil)
		return err
	},
	Stage: run,
})

func run(ctx context.Context, r vector.Run[Options]) (err error) {
	s := &stage{Options: *r.Options, out: r.Out}
	if s.Counts != "" {
		if s.days, err = readDays(ctx, r.In, r.Options, r.Out); err != nil {
			return err
		}
	}
	r.Out.Part(s.File)
	if err := r.Each(s.feature); err != nil {
		return err
	}
	for _, key := range s.days.unused() {
		r.Out.Issue(unknownPlace, "detector "+key)
	}
	return s.putGroups()
}
