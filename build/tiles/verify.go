package tiles

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/paulmach/orb/encoding/mvt"

	"quartier/internal/parallel"
	"quartier/internal/pmtiles"
	"quartier/schemas"
)

// Count sets the numbers of tiles of the archives of a release, equal ones counted each.
func Count(dir string, counts *schemas.ReleaseCounts) error {
	for _, of := range Archives {
		a, err := pmtiles.OpenFile(filepath.Join(dir, of.File))
		if err != nil {
			return err
		}
		*of.count(counts) = int64(a.Header().Addressed)
		if err := a.Close(); err != nil {
			return err
		}
	}
	return nil
}

// Verify reads the archives of a release: that every tile decodes and has known layers at zooms at which they are drawn,
// that headers are right, and that the archives have as many tiles as the manifest counts.
func Verify(ctx context.Context, dir string, counts *schemas.ReleaseCounts) error {
	for _, a := range Archives {
		if err := verify(ctx, filepath.Join(dir, a.File), a.lo, a.layers, uint64(*a.count(counts))); err != nil {
			return fmt.Errorf("%s: %w", a.File, err)
		}
	}
	return nil
}

func verify(ctx context.Context, path string, lowest uint8, of []layer, count uint64) error {
	a, err := pmtiles.OpenFile(path)
	if err != nil {
		return err
	}
	defer a.Close()
	h := a.Header()
	if h.Type != pmtiles.MVT || h.TileCompression != pmtiles.Gzip || !h.Clustered || h.MinZoom != lowest || h.MaxZoom != MaxZoom {
		return fmt.Errorf("tiles of type %d with compression %d, zooms %d to %d", h.Type, h.TileCompression, h.MinZoom, h.MaxZoom)
	}
	if err := checkMetadata(a, of); err != nil {
		return err
	}
	type stored struct {
		id   uint64
		data []byte
	}
	var addressed, entries, bytes uint64
	var contents []stored
	err = a.Each(func(e pmtiles.Entry, tile []byte) error {
		entries, addressed = entries+1, addressed+uint64(e.Run)
		if e.Offset == bytes { // not one of before
			bytes += uint64(len(tile))
			contents = append(contents, stored{e.ID, tile})
		} else if e.Offset > bytes {
			return fmt.Errorf("%d bytes before tile %d belong to none", e.Offset-bytes, e.ID)
		}
		return checkZoom(e, lowest)
	})
	if err != nil {
		return err
	}
	if addressed != h.Addressed || entries != h.Entries || uint64(len(contents)) != h.Contents || bytes != h.Tiles.Length {
		return fmt.Errorf("%d tiles, %d entries, %d contents of %d bytes; the header has %d, %d, %d of %d",
			addressed, entries, len(contents), bytes, h.Addressed, h.Entries, h.Contents, h.Tiles.Length)
	}
	if addressed != count {
		return fmt.Errorf("%d tiles, the manifest has %d", addressed, count)
	}
	none := func() struct{} { return struct{}{} }
	return parallel.EachWith(ctx, len(contents), none, func(_ struct{}, i int) error {
		if err := checkTile(contents[i].id, contents[i].data, of); err != nil {
			z, x, y, _ := pmtiles.Tile(contents[i].id)
			return fmt.Errorf("tile %d/%d/%d: %w", z, x, y, err)
		}
		return nil
	})
}

// checkZoom checks that the tiles of an entry are of one zoom that the archive has.
func checkZoom(e pmtiles.Entry, lowest uint8) error {
	z, x, y, _ := pmtiles.Tile(e.ID)
	last, _, _, _ := pmtiles.Tile(e.ID + uint64(e.Run) - 1)
	if z < lowest || last > MaxZoom {
		return fmt.Errorf("tile %d/%d/%d and the %d after it: zooms are %d to %d", z, x, y, e.Run-1, lowest, MaxZoom)
	}
	return nil
}

// largestTile is the largest tile that is read, in bytes without compression.
const largestTile = 256 << 20

func checkTile(id uint64, data []byte, of []layer) error {
	plain, err := pmtiles.Decompress(data, largestTile)
	if err != nil {
		return err
	}
	found, err := mvt.Unmarshal(plain)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return errors.New("no layers")
	}
	zoom, _, _, _ := pmtiles.Tile(id)
	for _, l := range found {
		i := slices.IndexFunc(of, func(i layer) bool { return layers[i].name == l.Name })
		if i < 0 || l.Version != 2 || l.Extent != extent || len(l.Features) == 0 {
			return fmt.Errorf("layer %q of version %d with %d features", l.Name, l.Version, len(l.Features))
		}
		if zoom < layers[of[i]].min {
			return fmt.Errorf("layer %q at zoom %d", l.Name, zoom)
		}
	}
	return nil
}

// checkMetadata checks that the metadata have the layers of the archive.
func checkMetadata(a *pmtiles.Archive, of []layer) error {
	data, err := a.Metadata()
	if err != nil {
		return err
	}
	var m struct {
		VectorLayers []struct{ ID string } `json:"vector_layers"`
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return fmt.Errorf("metadata: %w", err)
	}
	for i, l := range of {
		if len(m.VectorLayers) != len(of) || m.VectorLayers[i].ID != layers[l].name {
			return fmt.Errorf("metadata with the layers %v", m.VectorLayers)
		}
	}
	return nil
}
