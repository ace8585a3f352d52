package main

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"quartier/build/compare"
	"quartier/build/gates"
	"quartier/build/publish"
	"quartier/schemas"
)

// acceptFlag accepts gates.
func acceptFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "accept", Usage: "go on in spite of a gate, with the reason: `GATE=REASON`; may be repeated"}
}

// acceptances are the values of acceptFlag, by gate.
func acceptances(c *cli.Context) (list []schemas.Acceptance, err error) {
	for _, given := range c.StringSlice("accept") {
		gate, why, _ := strings.Cut(given, "=")
		if err := schemas.CheckGate(gate); err != nil {
			return nil, usageError{fmt.Errorf("--accept %q: %w", given, err)}
		}
		if why = strings.TrimSpace(why); why == "" || strings.ContainsFunc(why, func(r rune) bool { return r < ' ' }) {
			return nil, usageError{fmt.Errorf("--accept %q: a reason in one line is required: GATE=REASON", given)}
		}
		list = append(list, schemas.Acceptance{Gate: gate, Reason: why})
	}
	slices.SortFunc(list, func(a, b schemas.Acceptance) int { return cmp.Compare(a.Gate, b.Gate) })
	for i := range list[:max(len(list), 1)-1] {
		if list[i].Gate == list[i+1].Gate {
			return nil, usageError{fmt.Errorf("--accept %s is given twice", list[i].Gate)}
		}
	}
	return list, nil
}

// judgePublished compares what is published in a folder of releases with what would be next, by the limits of the next
// places. What the manifest of these accepts counts where they continue the places that are published. It returns nil where
// nothing is published, or nothing that gates judge differs.
func judgePublished(ctx context.Context, dir string, published, next *schemas.Pointer,
	accepted []schemas.Acceptance) (gates.Verdicts, error) {
	if published == nil {
		return nil, nil
	}
	folder := func(p *schemas.Pointer, name string) string {
		c, found := p.Component(name)
		if !found {
			return ""
		}
		return filepath.Join(dir, filepath.FromSlash(c.Folder))
	}
	older, newer := folder(published, schemas.Places), folder(next, schemas.Places)
	was, _ := published.Component(schemas.Places)
	manifest, err := schemas.ReadAnyManifest(newer)
	if err != nil {
		return nil, err
	}
	change := &compare.Comparison{}
	if manifest.Digest != was.Digest {
		if change, err = compare.Judged(ctx, older, newer); err != nil {
			return nil, err
		}
		if manifest.Previous == was.Digest {
			accepted = append(slices.Clone(accepted), manifest.Accepted...)
		}
	}
	oldMarket, newMarket := folder(published, schemas.Market), folder(next, schemas.Market)
	if oldMarket != newMarket {
		if err := change.Market(ctx, oldMarket, newMarket); err != nil {
			return nil, err
		}
	}
	return gates.Judge(change, manifest.GateLimits, accepted), nil
}

// publication publishes sets of components, past the gates.
type publication struct {
	folder   *publish.Folder
	dir      string
	accepted []schemas.Acceptance
	key      ed25519.PrivateKey // nil: it is not signed
}

// publish publishes a set, unless a gate holds it back. The verdicts are empty where it is published already.
func (p *publication) publish(ctx context.Context, set publish.Set) (*schemas.Pointer, gates.Verdicts, error) {
	next, err := p.folder.Refer(set)
	if err != nil {
		return nil, nil, err
	}
	var verdicts gates.Verdicts
	if !p.folder.Publishes(next) {
		if verdicts, err = judgePublished(ctx, p.dir, p.folder.Current(), next, p.accepted); err == nil {
			err = verdicts.Err()
		}
		if errors.Is(err, gates.ErrTripped) {
			was, _ := p.folder.Current().Component(schemas.Places)
			is, _ := next.Component(schemas.Places)
			err = publish.WithDiff(err, p.folder.Path(was), p.folder.Path(is), p.folder.Path(is))
		}
		if err != nil {
			return nil, verdicts, err
		}
	}
	if p.key != nil {
		if err := p.folder.Sign(next, p.key); err != nil {
			return nil, verdicts, err
		}
	}
	pointer, err := p.folder.Publish(next, p.accepted)
	return pointer, verdicts, err
}
