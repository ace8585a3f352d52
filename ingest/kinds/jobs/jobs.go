// Package jobs is the kind for numbers of jobs where they are done: by census block or another small area, without an
// outline, or at points. It reads one file of features or delimited text into rows of staged.job, in thousandths of a job.
// Transform finds the areas among the region's blocks and zones.
package jobs

import (
	"context"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

var reasons reason.List

var (
	noJobs      = reasons.Skipped("no_jobs", "The row has no number of jobs, or 0.")
	invalidJobs = reasons.Rejected("invalid_jobs", "The jobs are not a number from 0 to 5,000,000.")
	invalidArea = reasons.Rejected("invalid_area_key", "The key of the area is not a number with as many digits as those of its scheme have.")
	partRemoved = reasons.Repaired("job_parts_removed",
		"The jobs by sector or by earnings are not numbers or do not add up to all jobs, and were removed.")
	sectorRemoved = reasons.Repaired("unknown_sector_removed", "The code of the sector is not one of NAICS and was removed.")
)

// kind has beside a declaration whether rows are of areas.
type kind struct{ source.Declaration[Options] }

// OfAreas reports whether the rows are of areas, whose outlines other sources have.
func (k kind) OfAreas(in source.Input) bool {
	o, err := k.Settings(in)
	return err == nil && o.Scheme != "" // faults are those of Check
}

// Kind is the source kind "jobs".
var Kind = kind{vector.Kind(source.Declaration[Options]{
	Kind:  "jobs",
	Title: "Jobs where they are done",
	Formats: []string{
		"LODES 8 of the US Census Bureau, workplace area characteristics: …_wac_S000_JT00_<year>.csv.gz, or unpacked",
		"tables of Statistics Canada by dissemination area or block: CSV with DGUID and VALUE",
		"points with a number of jobs: CSV, GeoJSON, Parquet with columns of coordinates, GeoParquet or another file of features",
	},
	Yields: []string{"job"},
	Own:    &reasons,
	Reasons: []reason.Reason{source.MissingKey, source.MissingGeometry, source.WrongGeometryType, source.NegativeCount,
		source.UnreadSummaryLevel},
	Notes: "The rows of a scheme are of areas, of which the region needs the outlines from kind blocks or zones of the same census: " +
		"LODES 8 has the blocks of 2020. LODES 7, which has those of 2010, has the same columns and is refused by its date. " +
		"Jobs of an area are at a point inside it, or divided evenly over its blocks where the region has these; those of an area that " +
		"the region lacks are left out and counted. Zeros at the left of a key that a spreadsheet removed are added. " +
		"Of Statistics Canada dissemination areas and blocks are read, not municipalities, within which nothing says where the jobs are; " +
		"select one level, and the rows of workers by place of work, by the option where: jobs of all sources and levels are added up. " +
		"LODES has jobs that unemployment insurance covers and federal ones, neither the self-employed nor the armed forces, with noise in the " +
		"counts of small blocks. Layouts: " + source.LayoutNames(layouts) + ".",
	Complete: (*Options).complete,
}, vector.Features[Options]{
	File:   (*Options).file,
	Text:   true,
	Values: true, // the date of LODES
	Name:   func(o *Options, f vector.Feature) string { return f.Key(o.Key) },
	Stage: func(_ context.Context, r vector.Run[Options]) error {
		file := r.Options.file(r.In)
		return r.Each(func(f vector.Feature) (reason.Reason, error) {
			if old := r.Options.tooOld(f); old != "" {
				return reason.Reason{}, file.Bad("%s", old)
			}
			row, why := r.Options.row(f, r.In.Source, r.Out)
			if !why.OK() {
				return why, nil
			}
			return why, r.Out.Row(row)
		})
	},
})}
