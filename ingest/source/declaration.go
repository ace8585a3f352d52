package source

import (
	"context"
	"slices"

	"quartier/schemas/reason"
)

// Declaration is a Kind made of what it declares and of what it does with its options, decoded and checked. S are the
// options, or what the kind makes of them. Drivers of file formats, such as vector.Kind, set Inspect and Read.
type Declaration[S any] struct {
	Kind, Title     string          // as in Info
	Formats, Yields []string        // as in Info
	Own             *reason.List    // reasons that the kind declares; nil: none
	Reasons         []reason.Reason // others, as in Info
	Notes           string          // as in Info
	Options         any             // as in Info; nil: S

	Complete func(o *S, in Input) error                   // sets defaults and returns the faults of options; nil: there are none
	Decode   func(in Input) (*S, error)                   // in place of Complete, where S are not the options
	Inspect  func(context.Context, Input, *S) error       // finds what is wrong with the files, whether or not the options have faults
	Then     func(context.Context, Input, *S) error       // Check of a source in which nothing is wrong so far; may be nil
	Read     func(context.Context, Input, *S, Sink) error // is Kind.Stage, with valid options
}

// Info describes the kind.
func (d Declaration[S]) Info() Info {
	info := Info{Kind: d.Kind, Title: d.Title, Formats: d.Formats, Yields: d.Yields, Options: d.Options, Reasons: d.Reasons, Notes: d.Notes}
	if d.Own != nil {
		info.Reasons = slices.Concat(*d.Own, d.Reasons)
	}
	if info.Options == nil {
		info.Options = *new(S)
	}
	return info
}

// Settings decodes and checks the options of a region file.
func (d Declaration[S]) Settings(in Input) (*S, error) {
	if d.Decode != nil {
		return d.Decode(in)
	}
	o := new(S)
	return o, in.Configure(o, func() error {
		if d.Complete == nil {
			return nil
		}
		return d.Complete(o, in)
	})
}

// Check checks options and files.
func (d Declaration[S]) Check(ctx context.Context, in Input) error {
	o, err := d.Settings(in)
	err = Join(err, d.Inspect(ctx, in, o))
	if err != nil || d.Then == nil {
		return err
	}
	return d.Then(ctx, in, o)
}

// Stage reads the source.
func (d Declaration[S]) Stage(ctx context.Context, in Input, out Sink) error {
	o, err := d.Settings(in)
	if err != nil {
		return err
	}
	return d.Read(ctx, in, o, out)
}
