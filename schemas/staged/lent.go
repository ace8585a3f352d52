package staged

import "strings"

// LentID is the id that a source of a neighbouring region has among those of a region that borrows its rows:
// 'us-maryland/osm'. Ids in region files have no slash.
func LentID(region, source string) string { return region + "/" + source }

// Lent reports whether rows of a source are lent by a neighbouring region: they are seen from the region, and not part of
// it.
func Lent(source string) bool { return strings.Contains(source, "/") }

// Original is the id that a source has in its own region.
func Original(source string) string { return source[strings.LastIndex(source, "/")+1:] }
