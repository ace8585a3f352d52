// Package plan has the steps of a build as other programs and engines see them: lines of JSON that quartier step plan prints.
package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Step is a step of a build that a machine can take, a line of quartier step plan. Steps run in any order in which each comes
// after those that it needs; engines of others read nothing but this.
type Step struct {
	ID      string   `json:"id"`               // such as "transform.us-delaware": letters, digits, . and -
	Stage   string   `json:"stage"`            // such as "ingest", "lend", "transform", "write", "pack", "verify", "publish"
	Region  string   `json:"region,omitempty"` // "": of the whole release
	Needs   []string `json:"needs"`            // ids, none twice, sorted
	Inputs  []File   `json:"inputs"`           // files of sources and of other steps
	Outputs []File   `json:"outputs"`
	Minutes float64  `json:"minutes"`  // estimated
	Memory  int64    `json:"memory"`   // bytes, estimated
	Disk    int64    `json:"disk"`     // bytes that it writes, estimated
	Class   string   `json:"class"`    // of the machine: ClassSmall or ClassLarge
	NoRetry []int    `json:"no_retry"` // exit codes after which another attempt would end in the same way
}

// File is a file that a step reads or writes.
type File struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256,omitempty"` // "": not known before the step that writes it has run
	Bytes  int64  `json:"bytes,omitempty"`
}

// Classes of machines.
const (
	ClassSmall = "small" // 4 GB of memory and less
	ClassLarge = "large"
)

// Read reads the lines that quartier step plan --json prints.
func Read(from io.Reader) (steps []Step, err error) {
	for lines := json.NewDecoder(from); ; {
		var s Step
		switch err := lines.Decode(&s); {
		case errors.Is(err, io.EOF):
			return steps, nil
		case err != nil:
			return nil, fmt.Errorf("plan: step %d: %w", len(steps)+1, err)
		}
		steps = append(steps, s)
	}
}
