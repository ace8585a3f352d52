package pois

import (
	"strconv"

	"quartier/internal/pack/pois"
	"quartier/schemas"
	"quartier/serve/endpoint"
)

var (
	enhancedMeta = endpoint.OpenMeta("enhanced-pois")
	categoryKeys = keys(schemas.Categories)
)

// writeEnhanced appends a schemas.EnhancedPOIsAnswer to the body.
func writeEnhanced(r *endpoint.Request, selected pois.CategorySet, deprecation *schemas.Deprecation, found *pois.Result) {
	b := append(r.Body, `{"data":{"results":[`...)
	b = r.Release.POITable().AppendPOIs(b, found)
	b = endpoint.Append(b, `]},"meta":`, enhancedMeta, `,"counts":{"returned_by_category":`)
	b = appendCounts(b, categoryKeys, found.ReturnedByCategory[:], uint64(selected))
	b = append(b, `,"returned_count":`...)
	b = strconv.AppendInt(b, int64(len(found.Hits)), 10)
	b = append(b, `,"total_by_category":`...)
	b = appendCounts(b, categoryKeys, found.TotalByCategory[:], uint64(selected))
	b = append(b, `,"total_count":`...)
	b = strconv.AppendInt(b, int64(found.TotalCount), 10)
	b = append(b, '}')
	b = endpoint.AppendDeprecation(b, deprecation)
	r.Body = append(b, `}}`...)
}

// AppendTotals appends a schemas.SnapshotCounts.
func AppendTotals(b []byte, found *pois.Result) []byte {
	b = append(b, `{"total_count":`...)
	b = strconv.AppendInt(b, int64(found.TotalCount), 10)
	b = append(b, `,"total_by_category":`...)
	b = appendCounts(b, categoryKeys, found.TotalByCategory[:], 0)
	return append(b, '}')
}

// appendCounts appends an object of the counts whose bits are set in selected, zeros included; 0 selects all.
func appendCounts(b []byte, keys []string, counts []int, selected uint64) []byte {
	b = append(b, '{')
	for i, key := range keys {
		if selected != 0 && selected&(1<<i) == 0 {
			continue
		}
		b = endpoint.AppendComma(b)
		b = append(b, key...)
		b = strconv.AppendInt(b, int64(counts[i]), 10)
	}
	return append(b, '}')
}

// keys are the ids of categories as JSON, each with a colon.
func keys(categories []schemas.Category) []string {
	var out []string
	for _, c := range categories {
		out = append(out, `"`+c.ID+`":`)
	}
	return out
}
