package build

import (
	"context"
	"path/filepath"

	"quartier/build/assembly"
	"quartier/build/files"
	"quartier/build/homes"
	"quartier/build/previous"
	"quartier/build/publish"
	"quartier/build/steps"
	"quartier/schemas"
)

// builder is what the steps of a lane read, one after the other: files of the steps before, which are opened when the first step needs
// them.
type builder struct {
	opts    Options
	dir     *publish.Dir
	all     *steps.Build
	scratch string // folder for temporary files, of this lane

	previous once[*previous.Release]
	rows     once[*assembly.Assembly] // of all regions
	finished once[*files.Release]     // with the geographies of geographies.sqlite
	lived    once[previous.Lived]
}

// Files that steps hand on and that are not released.
const (
	assemblyFile = "assembly.duckdb"
	surveyFile   = "survey.json"
)

// letGo closes what was opened. It is opened again when a step needs it.
func (b *builder) letGo() {
	b.forget()
	b.rows.value.Close()
	b.previous.value.Close()
	b.previous, b.rows = once[*previous.Release]{}, once[*assembly.Assembly]{}
}

// forget lets go of what takes most of the memory.
func (b *builder) forget() {
	b.lived.value.Homes.Close()
	b.finished, b.lived = once[*files.Release]{}, once[previous.Lived]{}
}

// once is a value that is made when it is asked for first.
type once[T any] struct {
	value T
	known bool
}

func (o *once[T]) get(read func() (T, error)) (T, error) {
	if o.known {
		return o.value, nil
	}
	v, err := read()
	if err == nil {
		o.value, o.known = v, true
	}
	return v, err
}

func (b *builder) last(ctx context.Context) (*previous.Release, error) {
	return b.previous.get(func() (*previous.Release, error) { return previous.Open(ctx, b.opts.Previous, schemas.Places) })
}

func (b *builder) assembly(ctx context.Context) (*assembly.Assembly, error) {
	return b.rows.get(func() (*assembly.Assembly, error) {
		return assembly.Open(ctx, filepath.Join(b.dir.Scratch(), assemblyFile), b.scratch, b.opts.Regions)
	})
}

// release is what the files of the release have in common, before its geographies are written.
func (b *builder) release(ctx context.Context) (*files.Release, error) {
	last, err := b.last(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := b.assembly(ctx)
	if err != nil {
		return nil, err
	}
	r := &files.Release{Dir: b.dir.Release(), Assembly: rows, Previous: last}
	r.Provenance, err = rows.Provenance(ctx)
	r.Provenance.Release.Name, r.Provenance.Release.ToolVersion = b.opts.Name, b.opts.ToolVersion
	r.Provenance.Release.Previous = last.Digest()
	return r, err
}

// geographies is the release with the geographies that are written, and their ids.
func (b *builder) geographies(ctx context.Context) (*files.Release, error) {
	return b.finished.get(func() (*files.Release, error) {
		r, err := b.release(ctx)
		if err == nil {
			err = r.ReadGeographies(ctx)
		}
		return r, err
	})
}

// homes are where people live, in all regions.
func (b *builder) homes(ctx context.Context) (previous.Lived, error) {
	return b.lived.get(func() (lived previous.Lived, err error) {
		rows, err := b.assembly(ctx)
		if err == nil {
			lived.Homes, lived.Hulls, err = homes.Read(ctx, rows, b.scratch)
		}
		return lived, err
	})
}
