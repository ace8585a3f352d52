// Package steps runs the steps of a build, those beside each other that do not need each other, and continues a build that was
// interrupted: a step that was finished, with the same inputs, and whose files are as it wrote them, is not run again.
//
// A step writes files of its own and reads those of steps before it in the list, nothing else is handed on. Its inputs are those of
// the build, its own, and those of the steps before it.
package steps

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	"quartier/internal/stamp"
)

// Step is a step of a build.
type Step struct {
	Name string // in logs and errors, and of its stamp
	// of what a machine can take of it, see package plan; steps with one ID are taken together, after all before the last of them,
	// which says what they use
	ID string
	// paths of files that it reads, of regions and of steps before it, each of which a step writes
	Uses []string
	// what its files depend on besides the inputs of the build and of the steps before
	Inputs []stamp.Input
	// paths of its files; a step without files checks those of all steps before it
	Writes []string
	Takes  Shares // roughly, of a build, or of what is done with Reads
	Reads  string // kind of source that its time depends on; "": all of a build
	Always bool   // it is run each time, after all steps before it and before all after it, and has no stamp
	// Do runs it in a lane, which no other step uses meanwhile. The notes are for the manifest.
	Do func(ctx context.Context, lane int) (notes []string, err error)
}

// Shares are what a step takes of all that the steps of a build need, one after the other, from 0 to 1. Bytes are those that it writes,
// or makes again to compare.
type Shares struct {
	Time, Disk           float64 // of what sources need but lists of places
	PlaceTime, PlaceDisk float64 // of what each place of such lists needs
}

// Build is the steps of a build, with the folder in which it keeps what is finished.
type Build struct {
	Stamps  string       // folder of the stamps
	Folders []string     // of the files of steps; what no finished step wrote is removed from them
	Inputs  stamp.Inputs // that all steps depend on
	Steps   []Step

	done notes
}

// Planned is a step with what will become of it.
type Planned struct {
	Name   string
	Reused bool
	Why    string // it runs; "" if it is reused
	Takes  Shares
	Reads  string // see Step
	Notes  []string
}

// Plan decides which steps are reused. A step that always runs is planned without a reason.
func (b *Build) Plan(ctx context.Context) ([]Planned, error) {
	list, all := make([]Planned, len(b.Steps)), true
	for i := range b.Steps {
		s := &b.Steps[i]
		list[i].Name, list[i].Takes, list[i].Reads = s.Name, s.Takes, s.Reads
		if s.Always {
			continue
		}
		last := stamp.Read(b.stamp(s))
		v, err := last.Check(ctx, b.inputs(i), s.Writes...)
		if err != nil {
			return nil, err
		}
		if v.Usable && len(s.Writes) == 0 && !all {
			v = stamp.Verdict{Why: "a step before it runs"}
		}
		if list[i].Reused, list[i].Why = v.Usable, v.Why; v.Usable {
			list[i].Notes = last.Notes
		}
		all = all && v.Usable
	}
	return list, nil
}

// stamp is the path of the stamp of a step.
func (b *Build) stamp(s *Step) string { return filepath.Join(b.Stamps, s.Name+".stamp") }

// inputs are the inputs of a step.
func (b *Build) inputs(step int) stamp.Inputs {
	all := slices.Clone(b.Inputs)
	for _, s := range b.Steps[:step+1] {
		all = append(all, s.Inputs...)
	}
	return append(all, stamp.Of("step "+b.Steps[step].Name))
}

// Keys are the digests of the inputs of steps by ID, with those of the last step of each.
func (b *Build) Keys() map[string]string {
	keys := map[string]string{}
	for i, s := range b.Steps {
		keys[s.ID] = b.inputs(i).Digest()
	}
	return keys
}

// Alone runs the steps of an ID in folders that have the files which they use, and leaves no stamp. before are the notes of the
// steps before them, in their order.
func (b *Build) Alone(ctx context.Context, id string, before []string) (notes []string, err error) {
	b.done.add(0, before)
	for _, s := range b.Steps {
		if s.ID != id {
			continue
		}
		more, err := s.Do(ctx, 0)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		notes = append(notes, more...)
	}
	return notes, nil
}

// Finished reports whether a later run can use anything of this one.
func (b *Build) Finished() bool {
	return slices.ContainsFunc(b.Steps, func(s Step) bool { return !s.Always && stamp.Read(b.stamp(&s)) != nil })
}

// run runs a step and stamps it. If it fails, its files are removed: a full disk has space again.
func (b *Build) run(ctx context.Context, step, lane int, o *Options) (notes []string, err error) {
	s := &b.Steps[step]
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	debug.FreeOSMemory() // of what was done before: databases take memory of their own
	if notes, err = s.Do(ctx, lane); err != nil || s.Always {
		return notes, errors.Join(err, b.discard(s, err))
	}
	st, err := stamp.New(ctx, b.inputs(step), s.Writes...)
	if err != nil {
		return nil, err
	}
	st.Notes = notes
	data, err := st.Encode()
	if err == nil {
		err = o.Write(b.stamp(s), data)
	}
	return notes, err
}

// discard removes the files of a step that failed.
func (b *Build) discard(s *Step, failed error) error {
	if failed == nil {
		return nil
	}
	var errs []error
	for _, path := range s.Writes {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// size returns the bytes of files.
func size(files []string) (bytes int64) {
	for _, path := range files {
		if info, err := os.Stat(path); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

// removeRest removes what no reused step wrote: files of other builds, of steps that were interrupted, and temporary ones.
func (b *Build) removeRest(plan []Planned) error {
	keep := map[string]bool{}
	for i, s := range b.Steps {
		if plan[i].Reused {
			keep[b.stamp(&s)] = true
			for _, path := range s.Writes {
				keep[path] = true
			}
		}
	}
	for _, folder := range append([]string{b.Stamps}, b.Folders...) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if path := filepath.Join(folder, e.Name()); !keep[path] {
				if err := os.RemoveAll(path); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
