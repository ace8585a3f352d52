package schemas

import (
	"errors"
	"fmt"
)

// Files of the component private that places does not have. The others have the names and formats of those of places, with
// the custom geographies alone: geographies.pack and so on.
const (
	OwnersPack   = "owners.pack"    // who may see each geography of geographies.pack
	PrivateFile  = "private.sqlite" // for SQL: requests, owners and outlines
	OutcomesFile = "outcomes.json"  // what became of each request, for the end of the general update
)

// PrivateManifest lists the content of a component private, like Manifest that of places. It is as secret as the component.
type PrivateManifest struct {
	Schema      int           `json:"schema"`       // ManifestSchema
	History     int           `json:"history"`      // HistorySchema
	Component   string        `json:"component"`    // Private
	Digest      string        `json:"digest"`       // SHA-256 of the canonical manifest with this field empty
	AsOf        string        `json:"as_of"`        // of the requests, YYYY-MM-DD
	ToolVersion string        `json:"tool_version"` // version of the program that built it
	Places      string        `json:"places"`       // digest of the component places beside which it stands
	Previous    string        `json:"previous"`     // digest of the component private that it continues; "": none
	Update      int64         `json:"update"`       // number of the general update
	Requests    string        `json:"requests"`     // SHA-256 of the requests file
	Files       []ReleaseFile `json:"files"`        // by name; all files of the folder but the manifest
	Counts      PrivateCounts `json:"counts"`
	Steps       []StepIssue   `json:"steps"` // by step, severity and code
	Notes       []string      `json:"notes"` // limitations: what is absent and why
}

// PrivateCounts are the totals of a component private.
type PrivateCounts struct {
	Customers            int64 `json:"customers"`
	Geographies          int64 `json:"geographies"` // current, without deprecated ones
	Deprecated           int64 `json:"deprecated"`  // answer by id, and are found no more
	Superseded           int64 `json:"superseded"`  // earlier boundaries
	Unbuildable          int64 `json:"unbuildable"` // requests with a problem
	ScoredGeographies    int64 `json:"scored_geographies"`
	DescribedGeographies int64 `json:"described_geographies"`
	Profiles             int64 `json:"profiles"`
}

// Encode returns the canonical form of m, like Manifest.Encode.
func (m *PrivateManifest) Encode() ([]byte, error) {
	full := *m
	full.Steps, full.Notes, full.Files = present(m.Steps), present(m.Notes), presentFiles(m.Files)
	return canonicalJSON(&full)
}

// ComputeDigest returns the SHA-256 of the canonical form of m with an empty Digest, in lower-case hex.
func (m *PrivateManifest) ComputeDigest() (string, error) {
	bare := *m
	bare.Digest = ""
	data, err := bare.Encode()
	return sumOf(data), err
}

// ReadPrivateManifest reads the manifest of a component private. It does not check the other files.
func ReadPrivateManifest(dir string) (*PrivateManifest, error) {
	return readManifest(dir, func(data []byte) (*PrivateManifest, error) {
		m := new(PrivateManifest)
		return m, decodeManifest(data, m, Private)
	})
}

// File returns a file of the component by name.
func (m *PrivateManifest) File(name string) (ReleaseFile, bool) { return fileNamed(m.Files, name) }

// Check returns an error that lists what is invalid in m.
func (m *PrivateManifest) Check() error {
	var problems []error
	add := func(ok bool, format string, args ...any) {
		if !ok {
			problems = append(problems, fmt.Errorf(format, args...))
		}
	}
	add(m.Component == Private, "component %q", m.Component)
	add(m.History == HistorySchema, "history %d", m.History)
	add(validDate(m.AsOf), "as_of %q is not a date", m.AsOf)
	add(m.ToolVersion != "" && plain(m.ToolVersion), "tool_version %q", m.ToolVersion)
	add(digestForm.MatchString(m.Places), "places %q is not a digest", m.Places)
	add(m.Previous == "" || digestForm.MatchString(m.Previous), "previous %q is not a digest", m.Previous)
	add(digestForm.MatchString(m.Requests), "requests %q is not a digest", m.Requests)
	add(m.Update > 0, "update %d", m.Update)
	c := &m.Counts
	add(min(c.Customers, c.Geographies, c.Deprecated, c.Superseded, c.Unbuildable, c.ScoredGeographies, c.DescribedGeographies,
		c.Profiles) >= 0, "negative count")
	problems = append(problems, checkFiles(m.Files)...)
	if len(problems) > 0 {
		return errors.Join(problems...)
	}
	return checkDigest(m.Digest, m.ComputeDigest)
}
