package publish

import (
	"errors"
	"fmt"

	"quartier/schemas"
)

// ErrNotRestored is returned for a generation that cannot be published again.
var ErrNotRestored = errors.New("cannot be rolled back to")

// Rollback publishes the components of an earlier generation again, as a new generation, without gates. 0: those of the
// generation before; after a rollback that is the one before the generation that it restored, so that a second rollback goes
// one step further and does not come back to what the first one left:
//
//	generation   1  2  3              4            5
//	components   A  B  C  rollback →  B  publish   D   rollback → B, rollback → A
//
// It fails with ErrNotRestored where the generation is not kept, or where one of its components is gone or damaged.
func (f *Folder) Rollback(to int64) (*schemas.Pointer, error) {
	if f.current == nil {
		return nil, fmt.Errorf("nothing is published in %s", f.dir)
	}
	if to == 0 {
		var err error
		if to, err = f.before(); err != nil {
			return nil, err
		}
	}
	if to < 1 || to >= f.current.Generation {
		return nil, fmt.Errorf("generation %d %w: the current one is %d", to, ErrNotRestored, f.current.Generation)
	}
	g, err := schemas.ReadGeneration(f.dir, to)
	if err != nil {
		return nil, fmt.Errorf("generation %d %w: %w", to, ErrNotRestored, err)
	}
	if err := f.whole(&g.Pointer); err != nil {
		return nil, fmt.Errorf("generation %d %w: %w", to, ErrNotRestored, err)
	}
	return f.write(&schemas.Generation{Pointer: g.Pointer, Restores: first(g), Accepted: g.Accepted})
}

// first is the generation that had the components of g first.
func first(g *schemas.Generation) int64 {
	if g.Restores != 0 {
		return g.Restores
	}
	return g.Pointer.Generation
}

// before is the generation before the one that is published, or that was restored.
func (f *Folder) before() (int64, error) {
	kept, err := schemas.Generations(f.dir)
	if err != nil {
		return 0, err
	}
	from := f.current.Generation
	if g, err := schemas.ReadGeneration(f.dir, from); err == nil {
		from = first(g)
	}
	for i := len(kept) - 1; i >= 0; i-- {
		if kept[i] < from {
			return kept[i], nil
		}
	}
	return 0, fmt.Errorf("the generation before %d %w: none is kept", from, ErrNotRestored)
}

// whole returns an error unless the components of p are where it says, with their files.
func (f *Folder) whole(p *schemas.Pointer) error {
	for _, ref := range p.Components {
		c, err := describe(ref.Name, f.Path(ref))
		if err != nil {
			return err
		}
		if c.ref.Digest != ref.Digest {
			return fmt.Errorf("%s has another release by now: %.12s, not %.12s", ref.Folder, c.ref.Digest, ref.Digest)
		}
		if err := checkFiles(f.Path(ref), c.files); err != nil {
			return err
		}
	}
	return nil
}
