package browser_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/maptile"

	"quartier/internal/pmtiles"
	"quartier/schemas"
	"quartier/serve/release"
	"quartier/serve/servetest"
)

// poisZoom is the only zoom of the tiles of addTiles.
const poisZoom = 14

// addTiles adds a map to the release in dir: n points of interest in a spiral around the north of servetest, all of them within
// 500 metres and with a name that has markup, in tiles of one zoom.
func addTiles(dir string, n int) error {
	manifest, err := schemas.ReadManifest(dir)
	if err != nil {
		return err
	}
	byTile := map[maptile.Tile]*geojson.FeatureCollection{}
	for i := range n {
		far, angle := 0.0045*math.Sqrt(float64(i)/float64(n)), 2.4*float64(i)
		at := orb.Point{servetest.Lng + 1.4*far*math.Cos(angle), servetest.NorthLat + far*math.Sin(angle)}
		one := geojson.NewFeature(at)
		one.Properties = geojson.Properties{"name": servetest.HostileName, "category": "cafes"}
		tile := maptile.At(at, poisZoom)
		if byTile[tile] == nil {
			byTile[tile] = geojson.NewFeatureCollection()
		}
		byTile[tile].Append(one)
	}
	path := filepath.Join(dir, release.TileArchives["map"])
	if err := writeArchive(path, byTile); err != nil {
		return err
	}
	return list(dir, manifest, path)
}

// addEmpty adds files without content to the release in dir.
func addEmpty(dir string, names ...string) error {
	manifest, err := schemas.ReadManifest(dir)
	if err != nil {
		return err
	}
	var paths []string
	for _, name := range names {
		paths = append(paths, filepath.Join(dir, name))
		if err := os.WriteFile(paths[len(paths)-1], nil, 0o644); err != nil {
			return err
		}
	}
	return list(dir, manifest, paths...)
}

// list writes the manifest of a release with further files.
func list(dir string, manifest *schemas.Manifest, paths ...string) error {
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		manifest.Files = append(manifest.Files, schemas.ReleaseFile{Name: filepath.Base(path), SHA256: hex.EncodeToString(sum[:]),
			Bytes: int64(len(data))})
	}
	slices.SortFunc(manifest.Files, func(a, b schemas.ReleaseFile) int { return cmp.Compare(a.Name, b.Name) })
	return servetest.WriteManifest(dir, manifest)
}

func writeArchive(path string, byTile map[maptile.Tile]*geojson.FeatureCollection) error {
	out, err := pmtiles.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	tiles := map[uint64][]byte{}
	var ids []uint64
	for tile, pois := range byTile {
		layer := mvt.NewLayer("pois", pois)
		layer.Version = 2
		layer.ProjectToTile(tile)
		body, err := mvt.Marshal(mvt.Layers{layer})
		if err != nil {
			return err
		}
		var packed bytes.Buffer
		zip := gzip.NewWriter(&packed)
		zip.Write(body)
		if err := zip.Close(); err != nil {
			return err
		}
		id, _ := pmtiles.TileID(uint8(tile.Z), tile.X, tile.Y)
		tiles[id], ids = packed.Bytes(), append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		if err := out.Add(id, 1, tiles[id]); err != nil {
			return err
		}
	}
	return out.Finish(pmtiles.Description{MinZoom: poisZoom, MaxZoom: poisZoom, Metadata: []byte("{}")})
}
