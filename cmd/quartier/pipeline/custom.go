package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"

	"quartier/build/assembly"
	"quartier/build/private"
	"quartier/build/publish"
	"quartier/cmd/quartier/summary"
	"quartier/schemas"
)

// ErrRequests is the error of a requests file that cannot be read.
var ErrRequests = errors.New("not a requests file")

// Custom is the build of a component private beside a release.
type Custom struct {
	File     string // of requests
	Previous string // folder of the component that is continued; "": none
	Out      string
	Force    bool

	requests *schemas.Requests
	sum      string
	bytes    int64
}

// check reads the requests, and finds what is known to be wrong before the build.
func (b *Custom) check(ctx context.Context) error {
	if b == nil {
		return nil
	}
	var errs []error
	var err error
	if b.requests, b.sum, err = schemas.ReadRequests(b.File); err != nil {
		errs = append(errs, fmt.Errorf("--requests: %w: %w", ErrRequests, err))
	} else if info, err := os.Stat(b.File); err == nil {
		b.bytes = info.Size()
	}
	if b.Previous != "" {
		if _, err := schemas.ReadPrivateManifest(b.Previous); err != nil {
			errs = append(errs, fmt.Errorf("--previous-private %s: %w: %w", b.Previous, ErrPrevious, err))
		}
	}
	if len(errs) == 0 {
		errs = append(errs, private.Check(ctx, b.requests, b.Previous))
	}
	return errors.Join(append(errs, publish.CheckReplaceable(b.Out, b.Force))...)
}

// buildCustom builds the component beside the places of the pipeline.
func (p *Build) buildCustom(ctx context.Context, regions []assembly.Region) error {
	b := p.Custom
	if b == nil {
		return nil
	}
	manifest, outcomes, err := private.Build(ctx, private.Options{
		Regions: regions, Places: p.Out, Requests: b.requests, SHA256: b.sum, Bytes: b.bytes, Previous: b.Previous,
		Out: b.Out, Force: b.Force, ToolVersion: p.ToolVersion, Log: p.Log,
	})
	if err != nil {
		return err
	}
	return summary.Private(p.Screen, manifest, outcomes, b.Out)
}
