package osm

import (
	"context"
	"time"

	"quartier/ingest/formats/element"
	"quartier/ingest/formats/pbf"
	"quartier/ingest/source"
)

// Timestamp is the time of the data of an extract: that of the replication in its header, which PBF files may have, else of the
// newest edit of an element; zero if the file has neither.
func Timestamp(ctx context.Context, path string) (time.Time, error) {
	file, err := Open(path, source.Limits{})
	if err != nil {
		return time.Time{}, err
	}
	defer file.Close()
	if packed, ok := file.(*pbf.File); ok && !packed.Header.Time.IsZero() {
		return packed.Header.Time, nil
	}
	newest := int64(0)
	err = file.Read(ctx, element.Want{Kinds: element.All, Info: true}, func(b *element.Batch) error {
		for _, edits := range [][]element.Info{b.NodeInfo, b.WayInfo, b.RelationInfo} {
			for _, edit := range edits {
				newest = max(newest, edit.Time)
			}
		}
		return nil
	})
	if err != nil || newest == 0 {
		return time.Time{}, err
	}
	return time.UnixMilli(newest).UTC(), nil
}
