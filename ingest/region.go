// Package ingest reads the sources in a region file (YAML) and writes them to staged.duckdb (schemas/staged.sql), with
// counts of rejected, repaired and skipped rows by reason.
package ingest

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"quartier/ingest/fetch/overture"
	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// ErrBadRegion is the error of an invalid region or release file.
var ErrBadRegion = errors.New("bad region file")

// Region is a region file: a part of the world that is ingested and transformed independently.
type Region struct {
	Name    string `yaml:"region"`            // lower-case letters, digits and dashes; unique in a release
	Title   string `yaml:"title"`             // shown to people
	Country string `yaml:"country,omitempty"` // 'CA' or 'US', for rows without one
	// state or province, two letters, for places and extracts without one; not for outlines, which may be in several
	State   string   `yaml:"state,omitempty"`
	Sources []Source `yaml:"sources"` // earlier ones have precedence

	AcceptCollapsed map[string]string `yaml:"accept_collapsed,omitempty"` // why the collapsed scale of a score is accepted, by score
	// why two channels need not agree, by their names: "wellness ~ parks"
	AcceptDisagreement map[string]string `yaml:"accept_disagreement,omitempty"`
	// why quiet is given where a class of schemas.HeardClasses is unknown, by class
	QuietWithout map[string]string `yaml:"quiet_without,omitempty"`

	File  string     `yaml:"-"` // the region file; "": made from one extract
	lines *yaml.Node // the file, for line numbers; nil without a file
}

// Source is one source of a region file: a file, its origin, licence and options.
type Source struct {
	ID   string `yaml:"id"`   // unique in the region
	Kind string `yaml:"kind"` // of Kinds
	// file or folder; relative to the region file, ${NAME} from the variables
	Path        string        `yaml:"path,omitempty"`
	URL         string        `yaml:"url,omitempty"`                    // for `quartier fetch`
	TokenEnv    string        `yaml:"token_env,omitempty"`              // name of the environment variable with the bearer token of a Web API
	SHA256      string        `yaml:"sha256,omitempty"`                 // lower-case hex; needed with a URL, unless it has a pin or is a query
	File        string        `yaml:"file,omitempty"`                   // the publisher's name of the file, where the URL does not end in it
	Page        string        `yaml:"page,omitempty"`                   // where a person finds the file, http or https
	AsOf        string        `yaml:"as_of"`                            // date of the data, YYYY-MM-DD
	Licence     string        `yaml:"licence"`                          // short name, SPDX where there is one
	Attribution string        `yaml:"attribution"`                      // as the publisher requires
	Complete    []string      `yaml:"complete,omitempty"`               // classes of schemas.KnownClasses of which it has all in the region
	Lacks       []string      `yaml:"lacks,omitempty"`                  // classes of which it has some and not all
	MaxRejected *float64      `yaml:"max_rejected,omitempty"`           // share of rows that may be rejected before the source fails, 0–1
	MaxUnknown  *float64      `yaml:"max_unknown_categories,omitempty"` // share of places with unknown categories before it fails, 0–1
	Extent      *Extent       `yaml:"extent,omitempty"`                 // where it has all that there is; nil: worked out
	Limits      source.Limits `yaml:"limits,omitempty"`                 // other than the default ones
	With        []string      `yaml:"with,omitempty"`                   // ids of sources whose files complete tables of this one
	Options     yaml.Node     `yaml:"options,omitempty"`                // of the kind

	Pin   *Pin       `yaml:"-"` // of the URL in the lock beside the region file; nil: none
	lines *yaml.Node // the source in the region file, for line numbers; nil without a file
}

// ReleaseFile names the regions of a release.
type ReleaseFile struct {
	Name    string   `yaml:"release"`
	Regions []string `yaml:"regions"` // region files, relative to the release file
	// limits of gates other than the default ones, by schemas.Gate with or without a subject
	Gates map[string]float64 `yaml:"gates,omitempty"`
}

// GateLimits are the limits of the release file in the order of manifests.
func (r *ReleaseFile) GateLimits() (list []schemas.GateLimit) {
	for _, gate := range slices.Sorted(maps.Keys(r.Gates)) {
		list = append(list, schemas.GateLimit{Gate: gate, Limit: r.Gates[gate]})
	}
	return list
}

// Variables returns the values of ${NAME} in paths; unknown names are an error.
type Variables func(name string) (string, bool)

var regionName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,62}$`)
var sourceName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,62}$`)
var variableName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]{0,62}$`)
var plainName = regexp.MustCompile(`^[^./\\\pC][^/\\\pC]{0,200}$`)
var hexDigest = regexp.MustCompile(`^[0-9a-f]{64}$`)

// ReadRegion reads a region file and resolves its paths. Sources with a URL and no path are in the folder cache. The error
// is of type Faults and has all that is wrong with the file; the region is nil only if it cannot be read at all.
func ReadRegion(file string, vars Variables, cache string) (*Region, error) {
	region := &Region{File: file}
	document, faults := readYAML(file, region)
	if document == nil {
		return nil, faults
	}
	region.lines = document
	sources := valueOf(document, "sources")
	for i := range region.Sources {
		region.Sources[i].lines = document
		if sources != nil && i < len(sources.Content) {
			region.Sources[i].lines = sources.Content[i]
		}
	}
	faults = append(faults, region.obeyLock()...)
	region.check(&faults)
	for i := range region.Sources {
		if err := region.Sources[i].resolve(filepath.Dir(file), vars, cache); err != nil {
			region.Sources[i].Path = ""
			faults.add(region, &region.Sources[i], "path", fmt.Errorf("%w: %w", ErrBadRegion, err))
		}
	}
	return region, faults.Err()
}

// ReadRelease reads a release file and resolves the paths of its regions. The error is of type Faults.
func ReadRelease(file string) (*ReleaseFile, error) {
	var release ReleaseFile
	document, faults := readYAML(file, &release)
	if document == nil {
		return nil, faults
	}
	if !regionName.MatchString(release.Name) {
		faults = append(faults, Fault{File: file, Line: lineOf(document, "release"),
			Err: fmt.Errorf("%w: release %q is not a name of lower-case letters, digits and dashes", ErrBadRegion, release.Name)})
	}
	if len(release.Regions) == 0 {
		faults = append(faults, Fault{File: file, Line: lineOf(document, "regions"), Err: fmt.Errorf("%w: it has no regions", ErrBadRegion)})
	}
	for _, l := range release.GateLimits() {
		err := schemas.CheckGate(l.Gate)
		if err == nil && !(l.Limit >= 0 && l.Limit <= math.MaxFloat64) {
			err = fmt.Errorf("limit %v of gate %s is not a number from 0", l.Limit, l.Gate)
		}
		if err != nil {
			faults = append(faults, Fault{File: file, Line: lineOf(document, "gates."+l.Gate), Err: fmt.Errorf("%w: gates: %w", ErrBadRegion, err)})
		}
	}
	for i, r := range release.Regions {
		if !filepath.IsAbs(r) {
			release.Regions[i] = filepath.Join(filepath.Dir(file), r)
		}
	}
	return &release, faults.Err()
}

// readYAML decodes a file and returns it as a mapping with line numbers; nil if it cannot be read.
func readYAML(file string, into any) (*yaml.Node, Faults) {
	unreadable := func(err error) (*yaml.Node, Faults) {
		return nil, faultsOf(file, fmt.Errorf("%w: %w", ErrBadRegion, err))
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return unreadable(err)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return unreadable(err)
	}
	if document.IsZero() {
		return unreadable(errors.New("it is empty"))
	}
	var faults Faults
	if err := source.DecodeYAML(data, into, "field"); err != nil {
		for _, fault := range source.Flatten(err) {
			faults = append(faults, faultsOf(file, fmt.Errorf("%w: %w", ErrBadRegion, fault))...)
		}
	}
	return document.Content[0], faults
}

func (r *Region) check(faults *Faults) {
	own := func(bad bool, field, format string, args ...any) {
		if bad {
			faults.add(r, nil, field, fmt.Errorf("%w: "+format, append([]any{ErrBadRegion}, args...)...))
		}
	}
	own(!regionName.MatchString(r.Name), "region", "region %q is not a name of lower-case letters, digits and dashes", r.Name)
	own(r.Country != "" && r.Country != "CA" && r.Country != "US", "country", "country %q is neither CA nor US", r.Country)
	own(r.State != "" && r.Country == "", "state", "a state needs its country")
	_, known := schemas.StateName(r.Country, r.State)
	own(r.State != "" && schemas.CountryName(r.Country) != (schemas.Text{}) && !known, "state",
		"state %q is not the code of a state or province of %s", r.State, r.Country)
	for _, score := range slices.Sorted(maps.Keys(r.AcceptCollapsed)) {
		own(!slices.Contains(schemas.ScoreIDs(), score), "accept_collapsed."+score, "accept_collapsed: unknown score %q; there are: %s", score,
			strings.Join(schemas.ScoreIDs(), ", "))
		own(strings.TrimSpace(r.AcceptCollapsed[score]) == "", "accept_collapsed."+score, "accept_collapsed: %s has no reason", score)
	}
	pairs := calibration.Standard().Spread.Pairs()
	for _, pair := range slices.Sorted(maps.Keys(r.AcceptDisagreement)) {
		own(!slices.Contains(pairs, pair), "accept_disagreement."+pair, "accept_disagreement: unknown pair %q; there are: %s", pair,
			strings.Join(pairs, ", "))
		own(strings.TrimSpace(r.AcceptDisagreement[pair]) == "", "accept_disagreement."+pair, "accept_disagreement: %s has no reason", pair)
	}
	for _, class := range slices.Sorted(maps.Keys(r.QuietWithout)) {
		own(!slices.Contains(schemas.HeardClasses, class), "quiet_without."+class, "quiet_without: unknown class %q; there are: %s", class,
			strings.Join(schemas.HeardClasses, ", "))
		own(strings.TrimSpace(r.QuietWithout[class]) == "", "quiet_without."+class, "quiet_without: %s has no reason", class)
	}
	own(len(r.Sources) == 0, "sources", "it has no sources")
	if !known {
		r.State = "" // otherwise every source that uses them would be at fault
	}
	if schemas.CountryName(r.Country) == (schemas.Text{}) {
		r.Country = ""
	}
	seen := map[string]bool{}
	for i := range r.Sources {
		s := &r.Sources[i]
		of := func(bad bool, field, format string, args ...any) {
			if bad {
				faults.add(r, s, field, fmt.Errorf("%w: "+format, append([]any{ErrBadRegion}, args...)...))
			}
		}
		of(!sourceName.MatchString(s.ID), "id", "id %q of source %d is not a name of lower-case letters, digits, dashes and underscores",
			s.ID, i+1)
		of(seen[s.ID], "id", "source %s occurs twice", s.ID)
		seen[s.ID] = true
		for _, id := range s.With {
			other := r.source(id)
			of(other == nil || other == s || other.Kind != s.Kind, "with", "with: there is no other source %q of kind %s", id, s.Kind)
		}
		s.check(of)
	}
}

// source returns a source by its id; nil if there is none.
func (r *Region) source(id string) *Source {
	for i := range r.Sources {
		if r.Sources[i].ID == id {
			return &r.Sources[i]
		}
	}
	return nil
}

func (s *Source) check(of func(bad bool, field, format string, args ...any)) {
	_, known := KindOf(s.Kind)
	of(!known, "kind", "unknown kind %q; there are: %s", s.Kind, strings.Join(kindNames(), ", "))
	_, err := time.Parse(time.DateOnly, s.AsOf)
	of(err != nil, "as_of", "as_of %q is not a date like 2024-05-31", s.AsOf)
	of(s.Licence == "", "licence", "it has no licence")
	of(s.Attribution == "", "attribution", "it has no attribution")
	of(s.Path == "" && s.URL == "", "path", "it has neither a path nor a url")
	of(s.URL != "" && s.SHA256 == "" && !s.HasListings(), "url", "%w", ErrUnpinned)
	if overture.Is(s.URL) {
		_, err := overture.Parse(s.URL)
		of(err != nil, "url", "%v", err)
	}
	of(s.IsQuery() && s.Path == "", "url", "the url of a Web API needs a path, the folder of its pages")
	of(s.TokenEnv != "" && !s.IsQuery(), "token_env", "token_env is of a url of a Web API, which has no sha256, alone")
	of(s.TokenEnv != "" && !variableName.MatchString(s.TokenEnv), "token_env",
		"token_env is not the name of an environment variable; the token itself does not belong in a file")
	of(s.SHA256 != "" && !hexDigest.MatchString(s.SHA256), "sha256", "sha256 %q is not 64 lower-case hex digits", s.SHA256)
	of(s.File != "" && !plainName.MatchString(s.File), "file", "file %q is not the name of a file", s.File)
	of(s.Page != "" && !strings.HasPrefix(s.Page, "https://") && !strings.HasPrefix(s.Page, "http://"), "page",
		"page %q is not an http or https address", s.Page)
	of(s.MaxRejected != nil && !(*s.MaxRejected >= 0 && *s.MaxRejected <= 1), "max_rejected", "max_rejected is not a share of 0–1")
	of(s.MaxUnknown != nil && !(*s.MaxUnknown >= 0 && *s.MaxUnknown <= 1), "max_unknown_categories",
		"max_unknown_categories is not a share of 0–1")
	s.checkClasses(of, "complete", s.Complete)
	s.checkClasses(of, "lacks", s.Lacks)
	part, err := s.Extent.check()
	of(err != nil, "extent."+part, "%v", err)
	err = s.Limits.Check()
	of(err != nil, "limits", "%v", err)
}

// checkClasses checks the classes of places that are declared to be complete or lacking.
func (s *Source) checkClasses(of func(bad bool, field, format string, args ...any), field string, classes []string) {
	for i, class := range classes {
		at := field + "." + class
		of(slices.Contains(classes[:i], class), at, "%s: class %s occurs twice", field, class)
		of(field == "lacks" && slices.Contains(s.Complete, class), at, "class %s is both in complete and in lacks", class)
		of(!slices.Contains(schemas.KnownClasses, class), at, "%s: unknown class %q; there are: %s", field, class,
			strings.Join(schemas.KnownClasses, ", "))
	}
}

// resolve expands the variables of the path, which is relative to base. The path is "" if it is not known.
func (s *Source) resolve(base string, vars Variables, cache string) error {
	if s.Path == "" {
		if s.URL != "" && hexDigest.MatchString(s.SHA256) {
			s.Path = filepath.Join(cache, source.CacheName(s.SHA256, s.FileName()))
		}
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

// LeftOut is about how many of the bytes of its files the options of a source leave out: nine tenths where they select states
// or the values of a column, of files that have a whole country, and where they select a box in files of kinds that often do.
func (s *Source) LeftOut(bytes int64) int64 {
	wide := slices.Contains([]string{"boundaries", "catchments", "gazetteer", "zones"}, s.Kind)
	for i := 0; i+1 < len(s.Options.Content); i += 2 {
		if option := s.Options.Content[i].Value; option == "states" || option == "where" || option == "bbox" && wide {
			return bytes / 10 * 9
		}
	}
	return 0
}
