// Package ingest reads the sources in a region file (YAML) and writes them to staged.duckdb (schemas/staged.sql), with
// counts of rejected, repaired and skipped rows by reason.
package ingest

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"quartier/ingest/source"
)

// ErrBadRegion is the error of an invalid region or release file.
var ErrBadRegion = errors.New("bad region file")

// Region is a region file: a part of the world that is ingested and transformed independently.
type Region struct {
	Name    string   `yaml:"region"`            // lower-case letters, digits and dashes; unique in a release
	Title   string   `yaml:"title"`             // shown to people
	Country string   `yaml:"country,omitempty"` // 'CA' or 'US', for rows without one
	State   string   `yaml:"state,omitempty"`   // state or province, two letters, for places and extracts without one; not for outlines, which may be in several
	Sources []Source `yaml:"sources"`           // earlier ones have precedence
}

// Source is one source of a region file: a file, its origin, licence and options.
type Source struct {
	ID          string        `yaml:"id"`                     // unique in the region
	Kind        string        `yaml:"kind"`                   // of Kinds
	Path        string        `yaml:"path,omitempty"`         // file or folder; relative to the region file, ${NAME} from the variables
	URL         string        `yaml:"url,omitempty"`          // for `quartier fetch`
	SHA256      string        `yaml:"sha256,omitempty"`       // lower-case hex; needed with a URL
	AsOf        string        `yaml:"as_of"`                  // date of the data, YYYY-MM-DD
	Licence     string        `yaml:"licence"`                // short name, SPDX where there is one
	Attribution string        `yaml:"attribution"`            // as the publisher requires
	MaxRejected *float64      `yaml:"max_rejected,omitempty"` // share of rows that may be rejected before the source fails, 0–1
	Limits      source.Limits `yaml:"limits,omitempty"`       // other than the default ones
	Options     yaml.Node     `yaml:"options,omitempty"`      // of the kind
}

// ReleaseFile names the regions of a release.
type ReleaseFile struct {
	Name    string   `yaml:"release"`
	Regions []string `yaml:"regions"` // region files, relative to the release file
}

// Variables returns the values of ${NAME} in paths; unknown names are an error.
type Variables func(name string) (string, bool)

var regionName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,62}$`)
var sourceName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,62}$`)
var hexDigest = regexp.MustCompile(`^[0-9a-f]{64}$`)

// ReadRegion reads a region file and resolves its paths. Sources with a URL and no path are in the folder cache.
func ReadRegion(file string, vars Variables, cache string) (*Region, error) {
	var region Region
	if err := readYAML(file, &region); err != nil {
		return nil, err
	}
	if err := region.check(); err != nil {
		return nil, fmt.Errorf("%w %s: %w", ErrBadRegion, file, err)
	}
	for i := range region.Sources {
		if err := region.Sources[i].resolve(filepath.Dir(file), vars, cache); err != nil {
			return nil, fmt.Errorf("%w %s: source %s: %w", ErrBadRegion, file, region.Sources[i].ID, err)
		}
	}
	return &region, nil
}

// ReadRelease reads a release file and resolves the paths of its regions.
func ReadRelease(file string) (*ReleaseFile, error) {
	var release ReleaseFile
	if err := readYAML(file, &release); err != nil {
		return nil, err
	}
	if !regionName.MatchString(release.Name) {
		return nil, fmt.Errorf("%w %s: release %q is not a name of lower-case letters, digits and dashes", ErrBadRegion, file, release.Name)
	}
	if len(release.Regions) == 0 {
		return nil, fmt.Errorf("%w %s: it has no regions", ErrBadRegion, file)
	}
	for i, r := range release.Regions {
		if !filepath.IsAbs(r) {
			release.Regions[i] = filepath.Join(filepath.Dir(file), r)
		}
	}
	return &release, nil
}

func readYAML(file string, into any) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBadRegion, err)
	}
	if err := source.DecodeYAML(data, into, "field"); err != nil {
		return fmt.Errorf("%w %s: %w", ErrBadRegion, file, err)
	}
	return nil
}

func (r *Region) check() error {
	switch {
	case !regionName.MatchString(r.Name):
		return fmt.Errorf("region %q is not a name of lower-case letters, digits and dashes", r.Name)
	case r.Country != "" && r.Country != "CA" && r.Country != "US":
		return fmt.Errorf("country %q is neither CA nor US", r.Country)
	case r.State != "" && r.Country == "":
		return errors.New("a state needs its country")
	case len(r.Sources) == 0:
		return errors.New("it has no sources")
	}
	seen := map[string]bool{}
	for i := range r.Sources {
		s := &r.Sources[i]
		if !sourceName.MatchString(s.ID) {
			return fmt.Errorf("source %d: id %q is not a name of lower-case letters, digits, dashes and underscores", i+1, s.ID)
		}
		if seen[s.ID] {
			return fmt.Errorf("source %s occurs twice", s.ID)
		}
		seen[s.ID] = true
		if err := s.check(); err != nil {
			return fmt.Errorf("source %s: %w", s.ID, err)
		}
	}
	return nil
}

func (s *Source) check() error {
	if _, known := KindOf(s.Kind); !known {
		return fmt.Errorf("unknown kind %q; there are: %s", s.Kind, strings.Join(kindNames(), ", "))
	}
	if _, err := time.Parse(time.DateOnly, s.AsOf); err != nil {
		return fmt.Errorf("as_of %q is not a date like 2024-05-31", s.AsOf)
	}
	switch {
	case s.Licence == "":
		return errors.New("it has no licence")
	case s.Attribution == "":
		return errors.New("it has no attribution")
	case s.Path == "" && s.URL == "":
		return errors.New("it has neither a path nor a url")
	case s.URL != "" && s.SHA256 == "":
		return errors.New("a url needs its sha256")
	case s.SHA256 != "" && !hexDigest.MatchString(s.SHA256):
		return fmt.Errorf("sha256 %q is not 64 lower-case hex digits", s.SHA256)
	case s.MaxRejected != nil && !(*s.MaxRejected >= 0 && *s.MaxRejected <= 1):
		return fmt.Errorf("max_rejected %v is not a share of 0–1", *s.MaxRejected)
	}
	return s.Limits.Check()
}

// resolve expands the variables of the path, which is relative to base.
func (s *Source) resolve(base string, vars Variables, cache string) error {
	if s.Path == "" {
		s.Path = filepath.Join(cache, s.SHA256[:16]+"-"+path.Base(s.URL))
		return nil
	}
	var missing []string
	s.Path = os.Expand(s.Path, func(name string) string {
		value, found := vars(name)
		if !found {
			missing = append(missing, name)
		}
		return value
	})
	if len(missing) > 0 {
		return fmt.Errorf("${%s} in the path is not set; use --var %s=…", missing[0], missing[0])
	}
	if !filepath.IsAbs(s.Path) {
		s.Path = filepath.Join(base, s.Path)
	}
	return nil
}
