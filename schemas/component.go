package schemas

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// The components of a release. Each is a folder of files with a manifest of its own.
const (
	Places        = "places"         // geographies and all that is computed from what regions have
	Private       = "private"        // custom geographies of customers, beside a component places
	Market        = "market"         // market statistics of the geographies of a component places
	PrivateMarket = "private-market" // market statistics of the geographies of a component private
)

// Components are all components, in the order in which pointers have them.
var Components = []string{Places, Private, Market, PrivateMarket}

const maxManifestBytes = 64 << 20

// manifest is a manifest of one component.
type manifest interface {
	Encode() ([]byte, error)
	Check() error
}

// canonicalJSON is the form of manifests and pointers: JSON indented by one space, without unnecessary escapes, and with a
// final newline.
func canonicalJSON(value any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(value); err != nil {
		return nil, fmt.Errorf("encode manifest: %w", err)
	}
	return out.Bytes(), nil
}

// sumOf is the SHA-256 of data in lower-case hex.
func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// present replaces a nil list by an empty one, so that JSON has [] instead of null.
func present[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func presentSources(sources []ReleaseSource) []ReleaseSource {
	full := append([]ReleaseSource{}, sources...)
	for i := range full {
		full[i].Issues = present(full[i].Issues)
	}
	return full
}

func presentFiles(files []ReleaseFile) []ReleaseFile {
	full := append([]ReleaseFile{}, files...)
	for i := range full {
		full[i].Tables = present(full[i].Tables)
	}
	return full
}

func fileNamed(files []ReleaseFile, name string) (ReleaseFile, bool) {
	for _, f := range files {
		if f.Name == name {
			return f, true
		}
	}
	return ReleaseFile{}, false
}

// decodeManifest parses the manifest of one of some components into m.
func decodeManifest(data []byte, m manifest, components ...string) error {
	if len(data) > maxManifestBytes {
		return fmt.Errorf("manifest: %d bytes, more than %d", len(data), maxManifestBytes)
	}
	var head struct {
		Schema    int    `json:"schema"`
		Component string `json:"component"`
	}
	if json.Unmarshal(data, &head) == nil { // before members that only another one has
		if head.Schema != ManifestSchema {
			return wrongSchema(head.Schema, ManifestSchema)
		}
		if !slices.Contains(components, head.Component) {
			return otherComponent(head.Component, components)
		}
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(m); err != nil {
		return fmt.Errorf("manifest: %w", err)
	}
	canonical, err := m.Encode()
	if err != nil {
		return err
	}
	if !bytes.Equal(canonical, data) {
		return fmt.Errorf("manifest: not in canonical form")
	}
	if err := m.Check(); err != nil {
		return fmt.Errorf("manifest: %w", err)
	}
	return nil
}

// ErrLayout is wrapped by the error of a release of a layout that this program does not read.
var ErrLayout = errors.New("another layout")

// wrongSchema is the error for a release of another layout than those from one on.
func wrongSchema(schema, from int) error {
	remedy, reads := "a newer program is required", fmt.Sprint(from)
	if schema < from {
		remedy = "rebuild the release with this program, or go on with the one that made it"
	}
	if from < ManifestSchema {
		reads = fmt.Sprintf("%d to %d", from, ManifestSchema)
	}
	return fmt.Errorf("manifest: %w: schema %d, this program reads %s: %s", ErrLayout, schema, reads, remedy)
}

// otherComponent is the error for a manifest of another component than the ones that are wanted.
func otherComponent(got string, want []string) error {
	return fmt.Errorf("manifest: it is of the component %q, not %q", got, want[0])
}

// ComponentOf is the component whose manifest is in dir. It reads no more of the manifest than its head.
func ComponentOf(dir string) (string, error) {
	return readManifest(dir, func(data []byte) (string, error) {
		var head struct {
			Schema    int    `json:"schema"`
			Component string `json:"component"`
		}
		if err := json.Unmarshal(data, &head); err != nil {
			return "", fmt.Errorf("manifest: %w", err)
		}
		if head.Schema == ManifestSchema && !slices.Contains(Components, head.Component) {
			return "", fmt.Errorf("manifest: unknown component %q", head.Component)
		}
		return head.Component, nil
	})
}

func readManifest[M any](dir string, decode func([]byte) (M, error)) (M, error) {
	var none M
	path := filepath.Join(dir, ManifestFile)
	data, err := readWhole(path, maxManifestBytes)
	if err != nil {
		return none, fmt.Errorf("read manifest: %w", err)
	}
	m, err := decode(data)
	if err != nil {
		return none, fmt.Errorf("read %s: %w", path, err)
	}
	return m, nil
}

// readWhole reads a regular file of at most a number of bytes. Others may have no end, or wait for a writer.
func readWhole(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", path)
	case info.Size() > most:
		return nil, fmt.Errorf("%s has %d bytes, more than %d", path, info.Size(), most)
	}
	return os.ReadFile(path)
}

// FilesListed are the names of the files that the manifest in dir lists, of any component and schema; nil if it cannot be
// read.
func FilesListed(dir string) []string {
	names, _ := readManifest(dir, func(data []byte) (names []string, err error) {
		var listed struct {
			Files []struct {
				Name string `json:"name"`
			} `json:"files"`
		}
		err = json.Unmarshal(data, &listed)
		for _, f := range listed.Files {
			if filepath.Base(f.Name) == f.Name {
				names = append(names, f.Name)
			}
		}
		return names, err
	})
	return names
}
