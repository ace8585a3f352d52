package pois

import (
	"math/bits"
	"strconv"

	"quartier/internal/pack/pois"
	"quartier/schemas"
	"quartier/serve/endpoint"
)

var (
	enhancedMeta = endpoint.OpenMeta("enhanced-pois")
	categoryKeys = keys(schemas.Categories)

	categoryNames = quoted(schemas.Categories)
)

// writeEnhanced appends a schemas.EnhancedPOIsAnswer to the body.
func writeEnhanced(r *endpoint.Request, selected pois.CategorySet, deprecation *schemas.Deprecation, found *pois.Result) {
	b := append(r.Body, `{"data":{"results":[`...)
	b = r.Release.POITable().AppendPOIs(b, found)
	b = endpoint.Append(b, `]},"meta":`, enhancedMeta, `,"counts":{"returned_by_category":`)
	asked := askedFor(selected, len(categoryKeys))
	b = appendCounts(b, categoryKeys, found.ReturnedByCategory[:], asked&found.Known)
	b = append(b, `,"returned_count":`...)
	b = strconv.AppendInt(b, int64(len(found.Hits)), 10)
	b = append(b, `,"total_by_category":`...)
	b = appendCounts(b, categoryKeys, found.TotalByCategory[:], asked&found.Known)
	b = append(b, `,"total_count":`...)
	b = strconv.AppendInt(b, int64(found.TotalCount), 10)
	b = append(b, '}')
	b = appendUnknown(b, categoryNames, asked&^found.Known)
	b = endpoint.AppendDeprecation(b, deprecation)
	r.Body = append(b, `}}`...)
}

// AppendCounts appends a schemas.SnapshotPOIs.
func AppendCounts(b []byte, found *pois.Result) []byte {
	b = append(b, `{"counts":{"total_count":`...)
	b = strconv.AppendInt(b, int64(found.TotalCount), 10)
	b = append(b, `,"total_by_category":`...)
	b = appendCounts(b, categoryKeys, found.TotalByCategory[:], found.Known)
	b = append(b, '}')
	return append(appendUnknown(b, categoryNames, askedFor(0, len(categoryKeys))&^found.Known), '}')
}

// askedFor are the bits of the categories of a set, of which there are n.
func askedFor(selected pois.CategorySet, n int) uint64 {
	if selected == 0 {
		return 1<<n - 1
	}
	return uint64(selected)
}

// appendCounts appends an object of the counts whose bits are set, zeros included.
func appendCounts(b []byte, keys []string, counts []int, known uint64) []byte {
	b = append(b, '{')
	for ; known != 0; known &= known - 1 {
		i := bits.TrailingZeros64(known)
		b = endpoint.AppendComma(b)
		b = append(b, keys[i]...)
		b = strconv.AppendInt(b, int64(counts[i]), 10)
	}
	return append(b, '}')
}

// appendUnknown appends the member unknown_categories after a comma, with the names whose bits are set; nothing if none is.
func appendUnknown(b []byte, names []string, unknown uint64) []byte {
	if unknown == 0 {
		return b
	}
	b = append(b, `,"unknown_categories":[`...)
	for ; unknown != 0; unknown &= unknown - 1 {
		b = append(endpoint.AppendComma(b), names[bits.TrailingZeros64(unknown)]...)
	}
	return append(b, ']')
}

// keys are the ids of categories as JSON, each with a colon.
func keys(categories []schemas.Category) (out []string) {
	for _, name := range quoted(categories) {
		out = append(out, name+":")
	}
	return out
}

// quoted are the ids of categories as JSON.
func quoted(categories []schemas.Category) (out []string) {
	for _, c := range categories {
		out = append(out, `"`+c.ID+`"`)
	}
	return out
}
