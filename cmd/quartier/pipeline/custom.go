package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"quartier/build"
	"quartier/build/private"
	"quartier/build/publish"
	"quartier/build/released"
	"quartier/cmd/quartier/summary"
	"quartier/internal/estimate"
	"quartier/schemas"
)

// ErrRequests is the error of a requests file that cannot be read.
var ErrRequests = errors.New("not a requests file")

// Custom is the component private beside a release.
type Custom struct {
	File     string // of requests
	Previous string // folder of the component that is continued; "": none

	options *build.Custom
}

// check reads the requests, and finds what is known to be wrong before the build.
func (b *Custom) check(ctx context.Context) error {
	if err := b.read(); err != nil || b == nil {
		return err
	}
	return private.Check(ctx, b.options.Requests, b.Previous)
}

// read reads the requests.
func (b *Custom) read() error {
	if b == nil {
		return nil
	}
	requests, sum, err := schemas.ReadRequests(b.File)
	if err != nil {
		err = fmt.Errorf("--requests: %w: %w", ErrRequests, err)
	}
	if b.Previous != "" {
		if _, previousErr := schemas.ReadHead(b.Previous); previousErr != nil {
			err = errors.Join(err, fmt.Errorf("--previous-private %s: %w: %w", b.Previous, ErrPrevious, previousErr))
		}
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(b.File)
	if err != nil {
		return err
	}
	b.options = &build.Custom{Requests: requests, SHA256: sum, Bytes: info.Size(), Previous: b.Previous}
	return nil
}

// build is what a build is given; nil if there is nothing to check.
func (b *Custom) build() *build.Custom {
	if b == nil {
		return nil
	}
	return b.options
}

// reads is how much there is of requests.
func (b *Custom) reads() map[string]estimate.Size {
	if b == nil {
		return nil
	}
	return map[string]estimate.Size{released.RequestsSource: {Bytes: b.options.Bytes, Rows: int64(len(b.options.Requests.Requests))}}
}

// closeCustom prints what became of the requests.
func (p *Build) closeCustom() error {
	if p.Custom == nil {
		return nil
	}
	dir := publish.PrivateFolder(p.Out)
	manifest, err := schemas.ReadPrivateManifest(dir)
	if err != nil {
		return err
	}
	outcomes, err := schemas.ReadOutcomes(filepath.Join(dir, schemas.OutcomesFile))
	if err != nil {
		return err
	}
	return summary.Private(p.Screen, manifest, outcomes, dir)
}
