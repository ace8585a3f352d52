package inputs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quartier/bench/fail"
	"quartier/build/tiles"
	"quartier/internal/pmtiles"
	"quartier/schemas"
	"quartier/schemas/release"
)

// Tiles makes the map of a release from its folder and the databases of its regions, and prints its street nodes and
// edges, the seconds taken, and the bytes of all archives.
func Tiles(args []string) {
	from, scratch := args[0], args[1]
	fail.Check(os.RemoveAll(scratch))
	fail.Check(os.MkdirAll(scratch, 0o755))
	defer os.RemoveAll(scratch)
	m := fail.Must(schemas.ReadAnyManifest(from))
	for _, f := range m.Files { // archives are written beside the files
		if strings.HasSuffix(f.Name, ".sqlite") {
			fail.Check(os.Symlink(fail.Must(filepath.Abs(filepath.Join(from, f.Name))), filepath.Join(scratch, f.Name)))
		}
	}
	in := tiles.Input{Dir: scratch, Scratch: scratch, Release: release.Release{Name: m.Release, AsOf: m.AsOf}}
	for _, name := range m.Regions {
		work := filepath.Join(from+".work", name)
		in.Regions = append(in.Regions, tiles.Region{Name: name, Staged: work + ".staged.duckdb", Derived: work + ".derived.duckdb"})
	}
	begun := time.Now()
	fail.Check(tiles.Write(context.Background(), in))
	seconds := time.Since(begun).Seconds()
	var size int64
	for _, name := range []string{schemas.GroundFile, schemas.TilesFile, schemas.HeatFile} {
		size += fail.Must(os.Stat(filepath.Join(scratch, name))).Size()
	}
	fmt.Println(m.Counts.StreetNodes+m.Counts.StreetEdges, seconds, size)
}

// TileSizes prints how large the tiles of the archives of a release are, by archive and zoom, as rows of a table of Markdown:
// tiles, different ones with the sum of their bytes, the median, the 99th percentile and the largest, as they are stored.
func TileSizes(args []string) {
	fmt.Println("| archive | zoom | tiles | different | bytes | median | 99 % | largest |\n| --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, name := range []string{schemas.GroundFile, schemas.TilesFile, schemas.HeatFile} {
		archive, err := pmtiles.OpenFile(filepath.Join(args[0], name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // of an older layout
		}
		fail.Check(err)
		var sizes [tiles.MaxZoom + 1][]int
		var different, bytes [tiles.MaxZoom + 1]int
		end := uint64(0)
		fail.Check(archive.Each(func(e pmtiles.Entry, tile []byte) error {
			z, _, _, _ := pmtiles.Tile(e.ID)
			if e.Offset == end { // not one of before
				end += uint64(len(tile))
				different[z], bytes[z] = different[z]+1, bytes[z]+len(tile)
			}
			sizes[z] = append(sizes[z], slices.Repeat([]int{len(tile)}, int(e.Run))...)
			return nil
		}))
		for z, list := range sizes {
			if n := len(list); n > 0 {
				slices.Sort(list)
				fmt.Println("|", name, "|", z, "|", n, "|", different[z], "|", bytes[z], "|", list[n/2], "|", list[n*99/100], "|", list[n-1], "|")
			}
		}
		fail.Check(archive.Close())
	}
}
