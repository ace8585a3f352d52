package explain

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"quartier/build/released"
	"quartier/internal/pack"
	"quartier/internal/pack/access"
	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

var (
	// ErrNoStreet is a point from which one comes to no street of the release.
	ErrNoStreet = errors.New("no street is near")
	// ErrCalibration is a release that was made with other constants than this program's.
	ErrCalibration = errors.New("made with another calibration")
)

// Reader explains the values of a release. It is for one goroutine.
type Reader struct {
	manifest *schemas.Manifest
	file     *pack.File
	table    *access.Table
	db       *sql.DB
	c        *calibration.Calibration
	walk     *rating.Walk
}

// Open opens a release folder. It fails with ErrCalibration where its numbers were made with constants other than those
// that would be told.
func Open(dir string) (*Reader, error) {
	manifest, err := schemas.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	for _, p := range manifest.Parameters {
		if p.Name == "calibration_sha256" && p.Value != calibration.Digest() {
			return nil, fmt.Errorf("release %s: %w: %.12s…, and this program has %.12s…", dir, ErrCalibration, p.Value, calibration.Digest())
		}
	}
	file, err := pack.Open(filepath.Join(dir, schemas.AccessPack))
	if err != nil {
		return nil, err
	}
	table, err := access.Open(file)
	if err != nil {
		file.Close()
		return nil, err
	}
	db, err := released.Open(filepath.Join(dir, schemas.AccessFile))
	if err != nil {
		file.Close()
		return nil, err
	}
	c := calibration.Standard()
	return &Reader{manifest: manifest, file: file, table: table, db: db, c: c, walk: rating.NewWalk(c.Walking)}, nil
}

// Close lets go of the files.
func (r *Reader) Close() error { return errors.Join(r.db.Close(), r.file.Close()) }

// notes are what the manifest says of a region, without its name.
func (r *Reader) notes(region string) []string {
	notes := []string{}
	for _, note := range r.manifest.Notes {
		if text, of := strings.CutPrefix(note, region+": "); of {
			notes = append(notes, text)
		}
	}
	return notes
}

var (
	unknownKinds = regexp.MustCompile(`and nothing is told of (?:them|these): (.*)$`)
	noPlaces     = "no source lists places, and nothing is told of them"
)

// ground is what the sources of a region know, as the manifest tells it.
type ground struct {
	unknown []string // classes
	note    string   // that says so
	nothing bool     // no place of any class is known
}

func newGround(notes []string) ground {
	var g ground
	for _, note := range notes {
		if m := unknownKinds.FindStringSubmatch(note); m != nil {
			g.note = note
			for class := range strings.SplitSeq(m[1], ", ") {
				g.unknown = append(g.unknown, strings.ReplaceAll(class, " ", "_"))
			}
		}
		if note == noPlaces {
			g.nothing, g.note = true, note
		}
	}
	return g
}

// knows tells whether none of a class means none.
func (g *ground) knows(class string) bool { return !g.nothing && !slices.Contains(g.unknown, class) }

// sources are those with these keys, region and id, in the order of the manifest.
func (r *Reader) sources(used map[[2]string]bool) []Source {
	list := []Source{}
	for _, s := range r.manifest.Sources {
		if used[[2]string{s.Region, s.ID}] {
			list = append(list, Source{s.Region, s.ID, s.Path, s.AsOf, s.Licence, s.Attribution, s.SHA256})
		}
	}
	return list
}
