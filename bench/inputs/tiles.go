package inputs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quartier/bench/fail"
	"quartier/build/tiles"
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
	for i := range tiles.Archives {
		fail.Check(tiles.Archives[i].Write(context.Background(), in))
	}
	seconds := time.Since(begun).Seconds()
	var size int64
	for _, name := range []string{schemas.GroundFile, schemas.TilesFile, schemas.HeatFile} {
		size += fail.Must(os.Stat(filepath.Join(scratch, name))).Size()
	}
	fmt.Println(m.Counts.StreetNodes+m.Counts.StreetEdges, seconds, size)
}
