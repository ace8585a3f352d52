package stepping

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"quartier/cmd/quartier/pipeline"
	"quartier/ingest/source"
	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/internal/store"
)

// ErrDiffers is the error of an attempt that ended with another content than the one which is recorded.
var ErrDiffers = errors.New("two attempts of a step ended with different content")

// record is that of a finished step. The first attempt that finishes writes it.
type record struct {
	ID      string   `json:"id"`
	Inputs  string   `json:"inputs"`  // digest of all that the step depends on
	Program string   `json:"program"` // digest
	Attempt int      `json:"attempt"`
	Seconds float64  `json:"seconds"`
	Outputs []output `json:"outputs"`
	Release string   `json:"release,omitempty"` // digest of the manifest of the release that was put in its place
	Private string   `json:"private,omitempty"` // likewise of the component private beside it
	Pushed  string   `json:"pushed,omitempty"`  // digest of their record, see package releases; in a bucket
	Notes   []string `json:"notes,omitempty"`   // for the manifest
}

// output is a file that a step wrote.
type output struct {
	Name    string `json:"name"`
	SHA256  string `json:"sha256"`
	Bytes   int64  `json:"bytes"`
	Content string `json:"content,omitempty"` // digest of the rows of a database whose bytes differ from attempt to attempt
}

// content is what other attempts have to end with, too.
func (o *output) content() string {
	if o.Content != "" {
		return o.Content
	}
	return o.SHA256
}

// differs says what of two records of the same inputs is not the same; "": nothing.
func (r *record) differs(other *record) string {
	var list []string
	for i := range max(len(r.Outputs), len(other.Outputs)) {
		switch {
		case i >= len(r.Outputs) || i >= len(other.Outputs) || r.Outputs[i].Name != other.Outputs[i].Name:
			list = append(list, "the list of files")
		case r.Outputs[i].content() != other.Outputs[i].content():
			list = append(list, fmt.Sprintf("%s: %s and %s", r.Outputs[i].Name, r.Outputs[i].content(), other.Outputs[i].content()))
		}
	}
	if r.Release != other.Release || r.Private != other.Private {
		list = append(list, fmt.Sprintf("release: %s and %s", r.Release+r.Private, other.Release+other.Private))
	}
	if !slices.Equal(r.Notes, other.Notes) {
		list = append(list, "notes")
	}
	return strings.Join(list, ", ")
}

// recordName is the name of the record of a step with inputs.
func recordName(id, inputs string) string { return "steps/" + id + "/" + inputs + ".json" }

// recorded returns the record of a step with inputs; nil if there is none.
func (p *place) recorded(ctx context.Context, id, inputs string) (*record, error) {
	r := &record{}
	err := p.readJSON(ctx, recordName(id, inputs), r)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return r, err
}

// describe describes a file of a step. The digest of what a database has is that of its rows: threads of the database write them
// in another order each time.
func describe(ctx context.Context, path string) (o output, err error) {
	o.Name = pipeline.FileName(path)
	if o.SHA256, o.Bytes, err = source.DigestFile(ctx, path); err != nil || filepath.Ext(path) != ".duckdb" {
		return o, err
	}
	rows, err := duck.Content(ctx, path)
	o.Content = sum(rows)
	return o, err
}
