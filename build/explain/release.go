package explain

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"quartier/build/released"
	"quartier/internal/pack"
	"quartier/internal/pack/access"
	"quartier/internal/rating"
	"quartier/internal/sqlrow"
	"quartier/internal/wording"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/release"
)

var (
	// ErrNoStreet is returned for a point that is snapped to no street of the release.
	ErrNoStreet = errors.New("no street is near")
	// ErrCalibration is returned for a release that was built with other constants than this program's.
	ErrCalibration = errors.New("built with another calibration")
)

// Reader explains the values of a release. It must not be used by several goroutines.
type Reader struct {
	manifest *schemas.Manifest
	file     *pack.File
	table    *access.Table
	db       *sql.DB
	c        *calibration.Calibration
	walk     *rating.Decay
	language wording.Language // of reports

	corrected map[string]string // corrections by the key of the place
	merged    map[string]string // records of schools of several, by the key of the school
}

// Open opens a release folder. It fails with ErrCalibration if its numbers were computed with other constants than those
// that would be reported.
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
	r := &Reader{manifest: manifest, file: file, table: table, db: db, c: c, walk: rating.NewDecay(c.Walking)}
	if r.corrected, err = corrections(filepath.Join(dir, schemas.POIsFile)); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	if r.merged, err = mergedRecords(filepath.Join(dir, schemas.SchoolsFile)); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// corrections reads which corrections were applied to places: "moved by line 3 of source fixes (was 45.1 -75.2)".
func corrections(path string) (map[string]string, error) {
	db, err := released.Open(path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	past := map[string]string{schemas.MovePlace: "moved", schemas.RenamePlace: "renamed", schemas.RecategorisePlace: "recategorised"}
	found := map[string]string{}
	for c, err := range sqlrow.Select[release.Correction](context.Background(), db,
		"SELECT * FROM poi_correction ORDER BY poi_key, region, source_id, line") {
		if err != nil {
			return nil, fmt.Errorf("read corrections: %w", err)
		}
		if verb, kept := past[c.Action]; kept {
			text := fmt.Sprintf("%s by line %d of source %s (was %s)", verb, c.Line, c.SourceID, c.Was)
			found[c.POIKey] = strings.TrimPrefix(found[c.POIKey]+"; "+text, "; ")
		}
	}
	return found, nil
}

// In is the reader with reports in a language; English otherwise. Names of places, keys of sources, constants and the notes of the
// manifest stay as they are.
func (r *Reader) In(language wording.Language) *Reader {
	in := *r
	in.language = language
	return &in
}

// Close closes the files.
func (r *Reader) Close() error { return errors.Join(r.db.Close(), r.file.Close()) }

// notes are the notes of the manifest on a region, without its name.
func (r *Reader) notes(region string) []string {
	notes := []string{}
	for _, note := range r.manifest.Notes {
		if text, of := strings.CutPrefix(note, region+": "); of {
			notes = append(notes, text)
		}
	}
	return notes
}

// noFootpaths reports whether a source of streets does not have all footpaths.
func (r *Reader) noFootpaths(region, source string) bool {
	return slices.ContainsFunc(r.manifest.Sources, func(s schemas.ReleaseSource) bool {
		return s.Region == region && s.ID == source && s.NoFootpaths
	})
}

// coverage is the verdicts on the classes of places in a region, by class.
type coverage map[string]schemas.RegionClass

func (r *Reader) coverage(region string) coverage {
	c := coverage{}
	for _, class := range r.manifest.Classes {
		if class.Region == region {
			c[class.Class] = class
		}
	}
	return c
}

// has reports whether none of a class nearby means that there is none.
func (c coverage) has(class string) bool { return c[class].Verdict.Known() }

// none reports whether no class at all is known.
func (c coverage) none() bool {
	for _, class := range schemas.RatedClasses {
		if c.has(class) {
			return false
		}
	}
	return true
}

// why is why a class is unknown.
func (c coverage) why(class string) *wording.Line {
	of := c[class]
	verdict := wording.Say("verdict_" + string(of.Verdict))
	if slices.Contains(schemas.HeardClasses, class) {
		return wording.Say("heard_class_unknown", wording.Class(class), verdict)
	}
	people := wording.Say("people")
	if !of.Counted {
		people = wording.Say("people_estimated")
	}
	return wording.Say("class_unknown",
		wording.Class(class), of.Places+of.LentPlaces, of.People+of.LentPeople, people, of.Rate, of.Usual, verdict)
}

// sources are the sources with the given regions and ids, in the order of the manifest.
func (r *Reader) sources(used map[[2]string]bool) []Source {
	list := []Source{}
	for _, s := range r.manifest.Sources {
		if used[[2]string{s.Region, s.ID}] {
			list = append(list, Source{s.Region, s.ID, s.Path, s.AsOf, s.Licence, s.Attribution, s.SHA256})
		}
	}
	return list
}
