package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// GenerationsFolder is the folder, in a folder of releases, with a file for each of the last generations.
const GenerationsFolder = "generations"

// Generation is what was published once.
type Generation struct {
	Pointer  Pointer      `json:"pointer"`
	Restores int64        `json:"restores,omitempty"` // earlier generation whose components it has; absent: published, not rolled back to
	Accepted []Acceptance `json:"accepted"`           // gates that it was published in spite of, beyond those of its manifest, by gate
}

// Acceptance says why a gate does not hold a release back.
type Acceptance struct {
	Gate   string `json:"gate"`
	Reason string `json:"reason"`
}

// Encode returns the canonical form of g.
func (g *Generation) Encode() ([]byte, error) {
	full := *g
	full.Accepted = present(g.Accepted)
	return canonicalJSON(&full)
}

// GenerationPath is the file of a generation of the folder of releases dir.
func GenerationPath(dir string, generation int64) string {
	return filepath.Join(dir, GenerationsFolder, fmt.Sprintf("%06d.json", generation))
}

// PointerSignatures is the file of the signatures of the pointer of a generation.
func PointerSignatures(dir string, generation int64) string {
	return strings.TrimSuffix(GenerationPath(dir, generation), ".json") + ".sig"
}

// ReadGeneration reads one of the generations of a folder of releases. It fails with fs.ErrNotExist where it is not kept.
func ReadGeneration(dir string, generation int64) (*Generation, error) {
	path := GenerationPath(dir, generation)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read generation %d: %w", generation, err)
	}
	g := new(Generation)
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err = dec.Decode(g); err == nil {
		err = g.Pointer.Check()
	}
	if err == nil && g.Pointer.Generation != generation {
		err = fmt.Errorf("it is generation %d", g.Pointer.Generation)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return g, nil
}

// Generations are the generations that a folder of releases keeps, the earliest first.
func Generations(dir string) ([]int64, error) {
	entries, err := os.ReadDir(filepath.Join(dir, GenerationsFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read generations: %w", err)
	}
	var list []int64
	for _, e := range entries {
		number, named := strings.CutSuffix(e.Name(), ".json")
		if n, err := strconv.ParseInt(number, 10, 64); named && err == nil && n > 0 && filepath.Base(GenerationPath(dir, n)) == e.Name() {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return list, nil
}
