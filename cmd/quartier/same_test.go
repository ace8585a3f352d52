package main

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"testing"

	"quartier/internal/duck"
)

var sameBuilds = flag.Int("samebuilds", 3, "builds that TestSameInputsSameRelease compares with the first one")

// TestSameInputsSameRelease builds the same inputs again: in other folders and time zones, on one processor and on two, one
// region after the other and both at once. The files are equal byte for byte, and the databases between the stages by their
// rows.
func TestSameInputsSameRelease(t *testing.T) {
	t.Parallel()
	dir := townsDir(t)
	zones := []string{"Asia/Tokyo", "America/St_Johns", "Pacific/Kiritimati", "UTC"}
	for i := range *sameBuilds {
		processors := 1 + i%2
		t.Run(fmt.Sprintf("%d processors %s", processors, zones[i%len(zones)]), func(t *testing.T) {
			again := filepath.Join(t.TempDir(), "another folder", "release")
			cmd := child("build", "--release", filepath.Join(dir, "sources", "release.yaml"), "--out", again, "--jobs", fmt.Sprint(1+i/2%2))
			cmd.Env = append(cmd.Env, "TZ="+zones[i%len(zones)], fmt.Sprintf("GOMAXPROCS=%d", processors))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			sameFiles(t, filepath.Join(dir, "first"), again)
			for _, region := range []string{"us-port-hollis", "ca-saint-aubin"} {
				for _, stage := range []string{"staged", "lent", "derived"} {
					name := region + "." + stage + ".duckdb"
					one, other := rowsDigest(t, filepath.Join(dir, "work", name)), rowsDigest(t, filepath.Join(again+".work", name))
					if one != other {
						t.Errorf("%s has other rows", name)
					}
				}
			}
		})
	}
}

// rowsDigest is the digest of the rows of all tables of a database.
func rowsDigest(t *testing.T, path string) string {
	t.Helper()
	db, err := duck.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tables, err := duck.Digest(context.Background(), db)
	if err != nil {
		t.Fatal(err)
	}
	return duck.Sum(tables)
}
