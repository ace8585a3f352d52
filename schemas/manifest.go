package schemas

import (
	"encoding/json"
	"fmt"

	"quartier/schemas/reason"
)

// ManifestSchema is the version of the layout of a release folder. Readers refuse any other, but for those of ReadHead and ReadServed.
const ManifestSchema = 19

// The files of a release folder.
const (
	ManifestFile     = "manifest.json"
	GeographiesFile  = "geographies.sqlite"  // SpatiaLite, for GIS and SQL
	BridgeFile       = "geog_bridge.parquet" // table geog_bridge of GeographiesFile, for analysis
	POIsFile         = "pois.sqlite"         // SpatiaLite, for GIS and SQL
	GeographiesPack  = "geographies.pack"    // for the server
	POIsPack         = "pois.pack"           // for the server
	AccessFile       = "access.sqlite"       // SpatiaLite, for GIS and SQL
	AccessPack       = "access.pack"         // for the server
	DemographicsFile = "demographics.sqlite" // SpatiaLite, for GIS and SQL
	DemographicsPack = "demographics.pack"   // variables of geographies, for the server
	SmallAreasPack   = "small_areas.pack"    // figures of small areas, for the server
	SchoolsFile      = "schools.sqlite"      // SpatiaLite, for GIS and SQL
	SchoolsPack      = "schools.pack"        // for the server
	ProfilesFile     = "profiles.sqlite"     // SpatiaLite, for SQL
	ProfilesPack     = "profiles.pack"       // for the server
	TravelPack       = "travel.pack"         // timetables and streets, for travel times; without feeds where no region has any
	AddressesPack    = "addresses.pack"      // for the server; absent where no region has a source of AddressesKind
	TravelFile       = "travel.sqlite"       // SpatiaLite, for GIS and SQL: jobs, and what is reached from homes
	ReachPack        = "reach.pack"          // the same, for the server
	GroundFile       = "ground.pmtiles"      // vector tiles of the ground: water, streets, buildings, for browsers
	TilesFile        = "tiles.pmtiles"       // vector tiles of geographies and POIs, for browsers
	HeatFile         = "heat.pmtiles"        // vector tiles of the scores along streets, for browsers
)

// Manifest lists the content of the component places of a release and its sources. manifest.json has it in canonical JSON,
// without build time and paths, so that equal content gives equal bytes.
type Manifest struct {
	Schema      int             `json:"schema"`             // ManifestSchema
	History     int             `json:"history"`            // HistorySchema
	Component   string          `json:"component"`          // Places
	Release     string          `json:"release"`            // name in the release file
	Digest      string          `json:"digest"`             // SHA-256 of the canonical manifest with this field empty
	AsOf        string          `json:"as_of"`              // latest as-of date of the sources, YYYY-MM-DD
	ToolVersion string          `json:"tool_version"`       // version of the program that built it
	Previous    string          `json:"previous,omitempty"` // digest of the previous release, whose geog_ids are kept; absent: none
	Parameters  []Parameter     `json:"parameters"`         // constants of the methods, by name
	Regions     []string        `json:"regions"`            // in the order of the release file
	Errands     []RegionErrands `json:"errands"`            // of how many points pedestrian_friendly is made, by region with streets
	Sources     []ReleaseSource `json:"sources"`            // by region, then in the order of the region file
	// staged rows that transform skipped or repaired, by region, step, severity and code
	Steps  []StepIssue   `json:"steps"`
	Files  []ReleaseFile `json:"files"` // by name; all files of the folder but the manifest
	Counts ReleaseCounts `json:"counts"`
	// which classes of places are known, by region with streets, then in the order of KnownClasses
	Classes    []RegionClass `json:"classes"`
	Spreads    []ScoreSpread `json:"spreads"` // of the scores, by region with streets, then in the order of Scores
	Agreements []Agreement   `json:"agreements"`
	GateLimits []GateLimit   `json:"gate_limits,omitempty"` // other than the default ones, by gate
	Accepted   []Acceptance  `json:"accepted,omitempty"`    // gates beyond which it may follow Previous, by gate
	Notes      []string      `json:"notes"`                 // limitations: what is absent and why, overlaps
}

// Parameter is a constant that the content depends on.
type Parameter struct {
	Name  string `json:"name"`
	Value string `json:"value"` // with its unit in the name
}

// ReleaseSource is a source of the release.
type ReleaseSource struct {
	Region      string         `json:"region,omitempty"` // of the component places
	ID          string         `json:"id"`               // unique within the region
	Kind        string         `json:"kind"`
	Path        string         `json:"path"`   // base name
	SHA256      string         `json:"sha256"` // of the file, or of the lines "sha256  path" of the files of a folder
	Bytes       int64          `json:"bytes"`
	AsOf        string         `json:"as_of"`
	Licence     string         `json:"licence"`
	Attribution string         `json:"attribution"`
	URL         string         `json:"url,omitempty"`
	RowsRead    int64          `json:"rows_read"`
	RowsStaged  int64          `json:"rows_staged"`
	NoFootpaths bool           `json:"no_footpaths,omitempty"` // of streets: ways on them are bounded by the straight line
	Issues      []ReleaseIssue `json:"issues"`                 // by severity, then code
}

// ReleaseIssue counts the rows that were rejected, repaired or skipped for one reason.
type ReleaseIssue struct {
	Severity    reason.Severity `json:"severity"`
	Code        string          `json:"code"`
	Description string          `json:"description"` // one sentence
	Rows        int64           `json:"rows"`
	Example     string          `json:"example"`           // one of the rows or features
	Details     []IssueDetail   `json:"details,omitempty"` // rows by detail, in alphabetical order; absent where the reason has none
}

// IssueDetail counts the rows of an issue that have the same detail.
type IssueDetail struct {
	Detail  string `json:"detail"` // such as amenity=bench
	Rows    int64  `json:"rows"`
	Example string `json:"example"`
}

// StepIssue is an issue of a step of transform, or of the texts of a build.
type StepIssue struct {
	Region string `json:"region,omitempty"` // of the component places; "": of texts, which are of no region
	Step   string `json:"step"`             // such as geography, poi or texts
	ReleaseIssue
}

// AddIssue adds the rows of one reason and detail to the issues of a source, which come in order of severity, code and
// detail.
func AddIssue(list []ReleaseIssue, why reason.Reason, rows int64, example string) []ReleaseIssue {
	if n := len(list); n == 0 || list[n-1].Code != why.Code {
		list = append(list, ReleaseIssue{why.Severity, why.Code, why.Description, 0, example, nil})
	}
	list[len(list)-1].add(why, rows, example)
	return list
}

// AddStepIssue is AddIssue for the issues of steps, which come in order of region and step first.
func AddStepIssue(list []StepIssue, region, step string, why reason.Reason, rows int64, example string) []StepIssue {
	if n := len(list); n == 0 || list[n-1].Region != region || list[n-1].Step != step || list[n-1].Code != why.Code {
		list = append(list, StepIssue{region, step, ReleaseIssue{why.Severity, why.Code, why.Description, 0, example, nil}})
	}
	list[len(list)-1].add(why, rows, example)
	return list
}

func (i *ReleaseIssue) add(why reason.Reason, rows int64, example string) {
	i.Rows += rows
	if why.Detail != "" {
		i.Details = append(i.Details, IssueDetail{why.Detail, rows, example})
	}
}

// ReleaseFile is one file of the release folder.
type ReleaseFile struct {
	Name   string         `json:"name"` // base name
	SHA256 string         `json:"sha256"`
	Bytes  int64          `json:"bytes"`
	Tables []ReleaseTable `json:"tables"` // by name
}

// ReleaseTable is the content of one table of a file.
type ReleaseTable struct {
	Name   string `json:"name"`
	Rows   int64  `json:"rows"`
	Digest string `json:"digest"` // content digest: SHA-256 of its rows in the order of the primary key
}

// ReleaseCounts are the totals of a release.
type ReleaseCounts struct {
	Geographies     []LevelCount    `json:"geographies"` // current ones, by level; levels without any are absent
	Superseded      int64           `json:"superseded"`  // superseded geog_ids, which are still answered
	POIs            int64           `json:"pois"`
	POIsByCategory  []CategoryCount `json:"pois_by_category"` // all categories of the API in its order
	Brands          int64           `json:"brands"`
	Tags            int64           `json:"tags"`
	MergedPOIs      int64           `json:"merged_pois"`       // records merged into another one
	OverlappingPOIs int64           `json:"overlapping_pois"`  // records duplicated in a second region
	OverlappingGeos int64           `json:"overlapping_geogs"` // outlines duplicated in a second region

	StreetNodes       int64 `json:"street_nodes"` // of the walking networks of all regions
	StreetEdges       int64 `json:"street_edges"`
	Barriers          int64 `json:"barriers"`
	Destinations      int64 `json:"destinations"`
	TransitServices   int64 `json:"transit_services"`   // lines at stops, by direction
	ScoredGeographies int64 `json:"scored_geographies"` // current and superseded ones with a score
	Typologies        int64 `json:"typologies"`         // geohash-7 cells

	SmallAreas           int64 `json:"small_areas"`           // block groups, dissemination areas
	SmallAreaParts       int64 `json:"small_area_parts"`      // blocks
	DescribedGeographies int64 `json:"described_geographies"` // current and superseded ones with demographics

	Schools    int64 `json:"schools"`
	Catchments int64 `json:"catchments"` // of schools

	Trips     int64 `json:"trips"`      // of timetables, of all days
	TripStops int64 `json:"trip_stops"` // calls of these

	Addresses      int64 `json:"addresses,omitempty"`       // of AddressesPack
	AddressStreets int64 `json:"address_streets,omitempty"` // streets of these and of ranges of numbers

	GroundTiles int64 `json:"ground_tiles"` // of the ground, equal ones counted each
	Tiles       int64 `json:"tiles"`        // of geographies and POIs, likewise
	HeatTiles   int64 `json:"heat_tiles"`   // of the scores along streets, likewise

	Profiles []LevelCount `json:"profiles"` // current and superseded geographies with texts, by level; levels without any are absent
}

// LevelCount is the number of geographies of a level.
type LevelCount struct {
	Level Level `json:"level"`
	Rows  int64 `json:"rows"`
}

// SumLevels is the number of geographies of all levels.
func SumLevels(counts []LevelCount) (sum int64) {
	for _, c := range counts {
		sum += c.Rows
	}
	return sum
}

// CategoryCount is the number of POIs in a category.
type CategoryCount struct {
	Category string `json:"category"`
	Rows     int64  `json:"rows"`
}

// Encode returns the canonical form of m: JSON indented by one space, without null lists and unnecessary escapes, and with a
// final newline.
func (m *Manifest) Encode() ([]byte, error) {
	full := *m
	full.Parameters = present(m.Parameters)
	full.Regions = present(m.Regions)
	full.Notes = present(m.Notes)
	full.Steps = present(m.Steps)
	full.Classes = present(m.Classes)
	full.Errands = present(m.Errands)
	full.Spreads = present(m.Spreads)
	full.Agreements = present(m.Agreements)
	full.Counts.Geographies = present(m.Counts.Geographies)
	full.Counts.Profiles = present(m.Counts.Profiles)
	full.Counts.POIsByCategory = present(m.Counts.POIsByCategory)
	full.Sources, full.Files = presentSources(m.Sources), presentFiles(m.Files)
	return canonicalJSON(&full)
}

// ComputeDigest returns the SHA-256 of the canonical form of m with an empty Digest, in lower-case hex. It covers the whole
// release, because the manifest has the digest of every file.
func (m *Manifest) ComputeDigest() (string, error) {
	bare := *m
	bare.Digest = ""
	data, err := bare.Encode()
	if err != nil {
		return "", err
	}
	return sumOf(data), nil
}

// DecodeManifest parses a manifest and refuses what Encode would not write: unknown or duplicate members, another order or
// format, file names outside of the folder, negative counts, invalid or wrong digests.
func DecodeManifest(data []byte) (*Manifest, error) {
	m := new(Manifest)
	return m, decodeManifest(data, m, Places)
}

// ReadManifest reads the manifest of a release folder. It does not check the other files.
func ReadManifest(dir string) (*Manifest, error) { return readManifest(dir, DecodeManifest) }

// ReadAnyManifest is ReadManifest for a release of any layout that ReadHead reads, of which it keeps what Manifest has.
func ReadAnyManifest(dir string) (*Manifest, error) { return readManifest(dir, decodeAnyManifest) }

// decodeAnyManifest is DecodeManifest for any layout.
func decodeAnyManifest(data []byte) (*Manifest, error) {
	h, err := decodeHead(data)
	if err != nil {
		return nil, err
	}
	if h.Component != Places {
		return nil, otherComponent(h.Component, []string{Places})
	}
	m := new(Manifest)
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("manifest of schema %d: %w", h.Schema, err)
	}
	return m, nil
}

// File returns a file of the release by name.
func (m *Manifest) File(name string) (ReleaseFile, bool) { return fileNamed(m.Files, name) }
