package schemas

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

var (
	digestForm   = regexp.MustCompile(`^[0-9a-f]{64}$`)
	releaseForm  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	fileNameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}(\.[a-z0-9]{1,16})+$`)
)

// ValidReleaseName reports whether name is a valid name of a release or region: at most 64 letters, digits, '.', '_' and
// '-', beginning with a letter or digit.
func ValidReleaseName(name string) bool { return releaseForm.MatchString(name) }

// Check returns an error that lists what is invalid in m.
func (m *Manifest) Check() error {
	var problems []error
	add := func(ok bool, format string, args ...any) {
		if !ok {
			problems = append(problems, fmt.Errorf(format, args...))
		}
	}
	add(m.Component == Places, "component %q", m.Component)
	add(m.History == HistorySchema, "history %d", m.History)
	add(ValidReleaseName(m.Release), "release name %q", m.Release)
	add(validDate(m.AsOf), "as_of %q is not a date", m.AsOf)
	add(m.ToolVersion != "" && plain(m.ToolVersion), "tool_version %q", m.ToolVersion)
	add(m.Previous == "" || digestForm.MatchString(m.Previous), "previous %q is not a digest", m.Previous)
	add(len(m.Regions) > 0, "no regions")
	for i, name := range m.Regions {
		add(ValidReleaseName(name), "region name %q", name)
		add(!slices.Contains(m.Regions[:i], name), "region %s is duplicated", name)
	}
	add(ascending(m.Parameters, func(p Parameter) string { return p.Name }), "parameters not in order")
	problems = append(problems, checkSources(m.Sources, m.Regions, m.AsOf)...)
	for _, s := range m.Steps {
		add((s.Region == "" || slices.Contains(m.Regions, s.Region)) && s.Rows > 0, "issue %s of step %s of region %s: %d rows", s.Code, s.Step,
			s.Region, s.Rows)
	}
	problems = append(problems, m.checkClasses()...)
	problems = append(problems, m.checkSpreads()...)
	problems = append(problems, checkFiles(m.Files)...)
	problems = append(problems, m.Counts.check()...)
	problems = append(problems, checkGates(m.GateLimits, m.Accepted))
	if err := errors.Join(problems...); err != nil {
		return err
	}
	return checkDigest(m.Digest, m.ComputeDigest)
}

// checkDigest compares the digest of a manifest with its content.
func checkDigest(stated string, compute func() (string, error)) error {
	digest, err := compute()
	if err != nil {
		return err
	}
	if digest != stated {
		return fmt.Errorf("digest %q does not match the content, which has %s", stated, digest)
	}
	return nil
}

// checkSources checks the sources of a component. Those of places are of its regions and no later than asOf; those of other
// components have no region and perhaps no date.
func checkSources(sources []ReleaseSource, regions []string, asOf string) (problems []error) {
	seen := map[[2]string]bool{}
	for _, s := range sources {
		bad := func(format string, args ...any) {
			problems = append(problems, fmt.Errorf("source %s/%s: %w", s.Region, s.ID, fmt.Errorf(format, args...)))
		}
		if key := [2]string{s.Region, s.ID}; seen[key] || s.ID == "" {
			bad("id is duplicated or missing")
		} else {
			seen[key] = true
		}
		if asOf != "" && !slices.Contains(regions, s.Region) {
			bad("region is not in the release")
		}
		if s.Path == "" || path.Base(s.Path) != s.Path || s.Path == ".." || strings.ContainsAny(s.Path, "\\\x00") {
			bad("path %q is not a base name", s.Path)
		}
		if !digestForm.MatchString(s.SHA256) {
			bad("sha256 %q", s.SHA256)
		}
		switch {
		case asOf == "" && s.AsOf == "":
		case !validDate(s.AsOf), asOf != "" && s.AsOf > asOf && s.Kind != OutlinesKind:
			bad("as_of %q", s.AsOf)
		}
		if s.Bytes < 0 || s.RowsRead < 0 || s.RowsStaged < 0 {
			bad("negative counts")
		}
		if !ascending(s.Issues, func(i ReleaseIssue) string { return string(i.Severity) + "\x00" + i.Code }) {
			bad("issues not in order")
		}
		for _, issue := range s.Issues {
			if issue.Rows < 1 {
				bad("issue %s of %d rows", issue.Code, issue.Rows)
			}
		}
	}
	return problems
}

func checkFiles(files []ReleaseFile) (problems []error) {
	if len(files) == 0 {
		problems = append(problems, errors.New("no files"))
	}
	if !ascending(files, func(f ReleaseFile) string { return f.Name }) {
		problems = append(problems, errors.New("files not in order"))
	}
	for _, f := range files {
		bad := func(format string, args ...any) {
			problems = append(problems, fmt.Errorf("file %q: %w", f.Name, fmt.Errorf(format, args...)))
		}
		if !fileNameForm.MatchString(f.Name) || f.Name == ManifestFile {
			bad("not a valid file name of a release")
		}
		if !digestForm.MatchString(f.SHA256) {
			bad("sha256 %q", f.SHA256)
		}
		if f.Bytes < 0 {
			bad("%d bytes", f.Bytes)
		}
		if !ascending(f.Tables, func(t ReleaseTable) string { return t.Name }) {
			bad("tables not in order")
		}
		for _, t := range f.Tables {
			if t.Rows < 0 || !digestForm.MatchString(t.Digest) {
				bad("table %s: %d rows, digest %q", t.Name, t.Rows, t.Digest)
			}
		}
	}
	return problems
}

func (c ReleaseCounts) check() (problems []error) {
	for what, counts := range map[string][]LevelCount{"geographies": c.Geographies, "profiles": c.Profiles} {
		last := Level(0)
		for _, l := range counts {
			if !l.Level.Valid() || l.Level <= last || l.Rows < 1 {
				problems = append(problems, fmt.Errorf("count of %s of level %d: %d", what, l.Level, l.Rows))
			}
			last = l.Level
		}
	}
	seen := map[string]bool{}
	for _, n := range c.POIsByCategory {
		if n.Category == "" || seen[n.Category] || n.Rows < 0 || n.Rows > c.POIs {
			problems = append(problems, fmt.Errorf("count of category %q: %d", n.Category, n.Rows))
		}
		seen[n.Category] = true
	}
	if min(c.Superseded, c.POIs, c.Brands, c.Tags, c.MergedPOIs, c.OverlappingPOIs, c.OverlappingGeos,
		c.StreetNodes, c.StreetEdges, c.Barriers, c.Destinations, c.TransitServices, c.ScoredGeographies, c.Typologies, c.Trips,
		c.TripStops, c.Addresses, c.AddressStreets) < 0 {
		problems = append(problems, errors.New("negative count"))
	}
	return problems
}

// ascending reports whether the keys are strictly ascending, and thus unique and not empty.
func ascending[T any, K cmp.Ordered](list []T, key func(T) K) bool {
	var last K
	for _, item := range list {
		if key(item) <= last {
			return false
		}
		last = key(item)
	}
	return true
}

func validDate(s string) bool {
	t, err := time.Parse(time.DateOnly, s)
	return err == nil && t.Format(time.DateOnly) == s
}

// plain reports whether s is valid UTF-8 on one line.
func plain(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' })
}
