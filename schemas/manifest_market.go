package schemas

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"quartier/schemas/market"
)

// The files of the component market, besides its manifest: of the intervals that move with the day. Those of the closed months
// and quarters of a year are files of their own (MarketYear), which are the same from day to day where none of them changed.
const (
	MarketPack    = "market.pack"    // for the server
	MarketFile    = "market.sqlite"  // for SQL
	MarketParquet = "market.parquet" // for analysis
)

// MarketYear is the file of the closed intervals of a year: of MarketPack market-2024.pack. That of the year 0 is the file of
// the intervals that move.
func MarketYear(name string, year int) string {
	if year == 0 {
		return name
	}
	extension := path.Ext(name)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, extension), year, extension)
}

// Folders in the work folder of quartier market: of what a day keeps for the next one, and of what the next one is making.
const (
	KeptFolder = "kept"
	KeptNext   = "kept.next"
)

// MarketManifest lists the content of a component market and its sources, like Manifest that of places.
type MarketManifest struct {
	Schema      int             `json:"schema"`       // ManifestSchema
	Component   string          `json:"component"`    // Market or PrivateMarket
	Digest      string          `json:"digest"`       // SHA-256 of the canonical manifest with this field empty
	AsOf        string          `json:"as_of"`        // day of the statistics, YYYY-MM-DD: the last day that they have is the one before
	ToolVersion string          `json:"tool_version"` // version of the program that computed it
	Places      string          `json:"places"`       // digest of the component places, or private, beside which it stands
	States      []string        `json:"states"`       // states with listings, such as "US_OR", sorted
	Sources     []ReleaseSource `json:"sources"`      // in the order of the listings file
	Steps       []StepIssue     `json:"steps"`        // listings that count nowhere or not everywhere, by step, severity and code
	Files       []ReleaseFile   `json:"files"`        // by name; all files of the folder but the manifest
	Counts      MarketCounts    `json:"counts"`
	Notes       []string        `json:"notes"` // limitations: what is absent and why
}

// MarketCounts are the totals of a component market.
type MarketCounts struct {
	Listings    int64 `json:"listings"`    // that count anywhere, re-listings joined
	Geographies int64 `json:"geographies"` // with a cell
	Cells       int64 `json:"cells"`       // geographies × types × intervals with anything to count
}

// Encode returns the canonical form of m, like Manifest.Encode.
func (m *MarketManifest) Encode() ([]byte, error) {
	full := *m
	full.States, full.Steps, full.Notes = present(m.States), present(m.Steps), present(m.Notes)
	full.Sources, full.Files = presentSources(m.Sources), presentFiles(m.Files)
	return canonicalJSON(&full)
}

// ComputeDigest returns the SHA-256 of the canonical form of m with an empty Digest, in lower-case hex.
func (m *MarketManifest) ComputeDigest() (string, error) {
	bare := *m
	bare.Digest = ""
	data, err := bare.Encode()
	return sumOf(data), err
}

// DecodeMarketManifest is DecodeManifest for the component market.
func DecodeMarketManifest(data []byte) (*MarketManifest, error) {
	m := new(MarketManifest)
	return m, decodeManifest(data, m, Market, PrivateMarket)
}

// ReadMarketManifest reads the manifest of a component market. It does not check the other files.
func ReadMarketManifest(dir string) (*MarketManifest, error) {
	return readManifest(dir, DecodeMarketManifest)
}

// Years are the years of the closed intervals of the component, ascending.
func (m *MarketManifest) Years() []int {
	day, err := market.ParseDay(m.AsOf)
	if err != nil {
		return nil // Check has seen it
	}
	return market.Years(market.Intervals(day))
}

// Names are the files of the component besides its manifest, sorted.
func (m *MarketManifest) Names() (names []string) {
	for _, year := range append(m.Years(), 0) {
		for _, name := range []string{MarketPack, MarketFile, MarketParquet} {
			names = append(names, MarketYear(name, year))
		}
	}
	slices.Sort(names)
	return names
}

// File returns a file of the component by name.
func (m *MarketManifest) File(name string) (ReleaseFile, bool) { return fileNamed(m.Files, name) }

// Check returns an error that lists what is invalid in m.
func (m *MarketManifest) Check() error {
	var problems []error
	add := func(ok bool, format string, args ...any) {
		if !ok {
			problems = append(problems, fmt.Errorf(format, args...))
		}
	}
	add(m.Component == Market || m.Component == PrivateMarket, "component %q", m.Component)
	add(validDate(m.AsOf), "as_of %q is not a date", m.AsOf)
	add(m.ToolVersion != "" && plain(m.ToolVersion), "tool_version %q", m.ToolVersion)
	add(digestForm.MatchString(m.Places), "places %q is not a digest", m.Places)
	add(ascending(m.States, func(s string) string { return s }), "states not in order")
	add(min(m.Counts.Listings, m.Counts.Geographies, m.Counts.Cells) >= 0, "negative count")
	for _, s := range m.Sources {
		add(s.Region == "", "source %s has a region", s.ID)
	}
	problems = append(problems, checkSources(m.Sources, nil, "")...)
	problems = append(problems, checkFiles(m.Files)...)
	if len(problems) > 0 {
		return errors.Join(problems...)
	}
	return checkDigest(m.Digest, m.ComputeDigest)
}
