package vector

import (
	"context"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// Features is what a kind does with its file of features. S are its options, or what it makes of them.
type Features[S any] struct {
	File   func(s *S, in source.Input) *File
	Text   bool                                          // delimited text is read too
	Name   func(s *S, f Feature) string                  // what messages call a feature; nil: nothing
	Check  func(context.Context, source.Input, *S) error // finds faults of other files; may be nil
	Values bool                                          // Check stages a small file, which finds faults of its values

	// Row returns the row of a feature without Fault that the options select, or why it has none.
	Row func(s *S, r Record) (source.Row, reason.Reason)
	// Stage stages the file in place of Row, for a kind that keeps something from feature to feature.
	Stage func(ctx context.Context, r Run[S]) error
}

// Record is a feature of a source.
type Record struct {
	Feature
	In  source.Input
	Out source.Sink // for issues of a feature that has a row
}

// Run is one run of a kind.
type Run[S any] struct {
	Options *S
	In      source.Input
	Out     source.Sink
	Check   bool                                                  // for Kind.Check; rows go nowhere
	Each    func(take func(Feature) (reason.Reason, error)) error // is File.Stage
}

// checked are FileOptions and TableOptions, and the options of a kind that embed them.
type checked interface{ Check() error }

// Kind completes a kind that reads one file of features: it adds the reasons of the formats, checks options that no function
// completes, checks the file, and stages what the options select.
func Kind[S any](d source.Declaration[S], f Features[S]) source.Declaration[S] {
	d.Reasons = slices.Concat(d.Reasons, Reasons())
	if f.Text {
		d.Reasons = append(slices.Concat(d.Reasons, table.Reasons()), source.WrongFieldCount)
	}
	if d.Complete == nil {
		d.Complete = func(o *S, _ source.Input) error { return any(o).(checked).Check() }
	}
	if f.Name == nil {
		f.Name = func(*S, Feature) string { return "" }
	}
	if f.Stage == nil {
		f.Stage = f.stage
	}
	d.Inspect = func(ctx context.Context, in source.Input, s *S) error {
		err := f.File(s, in).Check(ctx)
		if f.Check != nil {
			err = source.Join(err, f.Check(ctx, in, s))
		}
		return err
	}
	d.Read = func(ctx context.Context, in source.Input, s *S, out source.Sink) error {
		return f.read(ctx, in, s, out, false)
	}
	if f.Values {
		d.Then = func(ctx context.Context, in source.Input, s *S) error {
			if !source.IsSmall(in.Path) {
				return nil
			}
			return f.read(ctx, in, s, source.Discard{}, true)
		}
	}
	return d
}

func (f Features[S]) read(ctx context.Context, in source.Input, s *S, out source.Sink, check bool) error {
	name := func(v Feature) string { return f.Name(s, v) }
	each := func(take func(Feature) (reason.Reason, error)) error {
		return f.File(s, in).Stage(ctx, out, name, take)
	}
	return f.Stage(ctx, Run[S]{Options: s, In: in, Out: out, Check: check, Each: each})
}

// stage stages a row of each feature.
func (f Features[S]) stage(_ context.Context, r Run[S]) error {
	return r.Each(func(v Feature) (reason.Reason, error) {
		if !v.Fault.OK() {
			return v.Fault, nil
		}
		row, why := f.Row(r.Options, Record{v, r.In, r.Out})
		if !why.OK() {
			return why, nil
		}
		return why, source.Put(r.Out, row)
	})
}

// Lacks returns why an area without a key or an outline has no row; the zero Reason where it has both.
func Lacks(key string, outline orb.MultiPolygon) reason.Reason {
	switch {
	case key == "":
		return source.MissingKey
	case len(outline) == 0:
		return source.MissingGeometry
	}
	return reason.Reason{}
}
