package build

import (
	"context"
	"os"
	"path/filepath"

	"quartier/build/private"
	"quartier/build/released"
	"quartier/build/steps"
	"quartier/build/verify"
	"quartier/internal/stamp"
	"quartier/schemas"
)

// Custom is what the component private beside a release is made of. It is written to publish.PrivateFolder of the release.
type Custom struct {
	Requests *schemas.Requests
	SHA256   string // of the requests file
	Bytes    int64  // of it
	Previous string // folder of the component that is continued; "": none
}

// customSteps are the steps of the component private, which read the finished release. They follow the gates, which may hold
// the release back.
func (l *lanes) customSteps() ([]steps.Step, error) {
	c := l.opts.Custom
	if c == nil {
		return nil, nil
	}
	last, err := digestOf(c.Previous)
	if err != nil {
		return nil, err
	}
	inputs := stamp.Inputs{stamp.Of("requests file", c.SHA256), stamp.Of("previous component private", last)}
	writes := paths(l.dir.Private(), append([]string{schemas.ManifestFile}, released.PrivateFiles...)...)
	return []steps.Step{
		{ID: "write.private", Name: "write custom geographies", Takes: takes(0.5, 1), Reads: released.RequestsSource, Inputs: inputs,
			Writes: writes, Do: l.do((*builder).writeCustom)},
		{ID: "verify.private", Name: "verify custom geographies", Takes: takes(0.5, 1), Reads: released.RequestsSource,
			Do: l.do((*builder).verifyCustom)},
	}, nil
}

func (b *builder) writeCustom(ctx context.Context) ([]string, error) {
	b.letGo()
	scratch := filepath.Join(b.scratch, "private")
	if err := os.Mkdir(scratch, 0o755); err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	c := b.opts.Custom
	return nil, private.Write(ctx, private.Options{
		Regions: b.opts.Regions, Assembly: filepath.Join(b.dir.Scratch(), assemblyFile), Places: b.dir.Release(), Requests: c.Requests,
		SHA256: c.SHA256,
		Bytes:  c.Bytes, Previous: c.Previous, ToolVersion: b.opts.ToolVersion, Log: b.opts.Log,
	}, b.dir.Private(), scratch)
}

func (b *builder) verifyCustom(ctx context.Context) ([]string, error) {
	_, err := verify.Private(ctx, b.dir.Private(), b.scratch)
	return nil, err
}
