package osm

import (
	"slices"

	"quartier/ingest/kinds/osm/featuretags"
	"quartier/ingest/kinds/osm/linetags"
	"quartier/ingest/kinds/osm/placetags"
	"quartier/ingest/kinds/osm/polygon"
	"quartier/ingest/kinds/osm/streettags"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

var own reason.List

var (
	unmappedLevel   = own.Skipped("unmapped_admin_level", "No rule assigns the boundary to a level of the API.")
	unnamedBoundary = own.Skipped("unnamed_boundary", "The boundary has no name.")
	beyondExtract   = own.Skipped("outline_beyond_extract", "A part of the outline is outside of the extract.")
	runwayAsArea    = own.Skipped("runway_as_area", "The runway is mapped as an area; its line is read instead.")
	areaAsLine      = own.Skipped("area_as_line", "The feature is an area, but is mapped as a line.")
	outsideExtract  = own.Skipped("outside_extract", "No two consecutive nodes of the line are in the extract.")
	tooFewNodes     = own.Rejected("too_few_nodes", "The line has fewer than two nodes.")
	clippedAtNode   = own.Repaired("line_clipped_at_invalid_node", "The line was clipped at a node whose coordinates are out of range.")
	outlineCut      = own.Repaired("outline_cut_to_extract",
		"A part of the outline of a place or feature is outside of the extract; straight lines join what is in it.")
	clipped = own.Repaired("line_clipped_to_extract", "The line leaves the extract and was clipped.")
)

// reasons are those that the kind raises and others declare.
func reasons() []reason.Reason {
	return slices.Concat(placetags.Reasons(), featuretags.Reasons(), streettags.Reasons(), linetags.Reasons(), []reason.Reason{
		polygon.OpenOutline, source.OtherCountry, source.DuplicateBoundary, source.PopulationRemoved,
		source.CoordinateOutOfRange, source.ZeroArea,
	})
}
