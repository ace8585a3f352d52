package boundaries

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quartier/ingest/source"
)

// layouts.yaml has the defaults for the files of a publisher of any year: TIGER/Line and cartographic boundary files of the
// US Census Bureau, whose attribute names end with the year of the census or not, and the 2021 boundary files of Statistics
// Canada. @dguid is Statistics Canada's identifier without vintage, type and schema (2021A000235 is 35), so that a place
// keeps its key from one census to the next.
//
//go:embed layouts.yaml
var layoutsYAML []byte

var layouts = source.ParseLayouts[Options](layoutsYAML)

// layoutLevels lists the layouts with their levels for the documentation: tiger-county (37), tiger-place (30).
func layoutLevels() string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(layouts)) {
		levels := slices.Collect(maps.Values(layouts[name].Levels))
		if level := layouts[name].Level; level != 0 {
			levels = append(levels, level)
		}
		slices.Sort(levels)
		text := strings.Trim(fmt.Sprint(slices.Compact(levels)), "[]")
		list = append(list, fmt.Sprintf("%s (%s)", name, strings.ReplaceAll(text, " ", ", ")))
	}
	return strings.Join(list, ", ")
}
