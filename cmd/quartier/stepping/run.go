package stepping

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"quartier/build/publish"
	"quartier/cmd/quartier/pipeline"
	"quartier/internal/store"
	"quartier/internal/store/releases"
	"quartier/schemas"
)

var (
	// ErrAbsent is the error of a step before which others have to be done.
	ErrAbsent = errors.New("what the step needs is not there")
	// ErrLost is the error of a step whose input was recorded, but is damaged or gone in the work place.
	ErrLost = errors.New("a file of another step was lost")
	// ErrUnknown is the error of an ID that no step has.
	ErrUnknown = errors.New("no such step")
)

// attempt is an attempt of a step.
type attempt struct {
	build  *pipeline.Build
	place  *place
	number int
	dir    string          // in which it works, of its own
	kept   objects         // of this machine
	parts  []pipeline.Part // all
	part   *pipeline.Part  // the one of the attempt

	used, sent int64 // bytes of files of other steps, and of those that were fetched
}

// run runs a step, unless it was done before.
func (a *attempt) run(ctx context.Context, id string) error {
	if err := a.find(id); err != nil {
		return err
	}
	if err := a.findKeys(ctx); err != nil {
		return err
	}
	before, err := a.place.recorded(ctx, id, a.part.Key)
	if err != nil {
		return err
	}
	if before != nil {
		if there, err := a.isThere(ctx, before); err != nil || there {
			a.build.Log.Info("the step was done before", "step", id, "attempt", before.Attempt)
			return err
		}
	}
	needs, err := a.records(ctx, func(p *pipeline.Part) bool { return slices.Contains(a.part.Needs, p.ID) })
	if err != nil {
		return err
	}
	return a.inFolder(func(dir *publish.Dir) error {
		made, err := a.do(ctx, dir, needs)
		if err == nil {
			err = a.record(ctx, made)
		}
		if err == nil {
			a.build.Log.Info("the step is done", "step", id, "attempt", a.number, "seconds", fmt.Sprintf("%.1f", made.Seconds),
				"bytes_used", a.used, "bytes_fetched", a.sent)
		}
		return errors.Join(err, a.kept.tidy())
	})
}

// find finds the part of an ID. ErrUnknown.
func (a *attempt) find(id string) error {
	stage, region, _ := strings.Cut(id, ".")
	near := ""
	for i := range a.parts {
		switch p := &a.parts[i]; {
		case p.ID == id:
			a.part = p
			return nil
		case len(near) > 200:
		case p.Stage == stage, region != "" && region == p.Region, strings.HasSuffix(p.ID, "."+stage):
			near += " " + p.ID
		}
	}
	if near != "" {
		near = "; near it:" + near
	}
	return fmt.Errorf("%w: %s%s", ErrUnknown, id, near)
}

// findKeys finds the keys of transforms and of what comes after them, which are known when what is lent is recorded. ErrAbsent.
func (a *attempt) findKeys(ctx context.Context) error {
	if a.part.Stage == pipeline.IngestStage || a.part.Stage == pipeline.LendStage {
		return nil
	}
	lent := map[string]string{}
	list, err := a.records(ctx, func(p *pipeline.Part) bool {
		return p.Stage == pipeline.LendStage && (a.part.Region == "" || a.part.Region == p.Region)
	})
	for _, r := range list {
		_, region, _ := strings.Cut(r.ID, ".")
		lent[region] = r.Outputs[0].content()
	}
	if err == nil {
		a.parts, err = a.build.Parts(lent)
	}
	if err != nil {
		return err
	}
	return a.find(a.part.ID)
}

// records are those of the parts that are wanted, in the order of the plan. ErrAbsent.
func (a *attempt) records(ctx context.Context, wanted func(*pipeline.Part) bool) (list []*record, err error) {
	var absent []string
	for i := range a.parts {
		if !wanted(&a.parts[i]) {
			continue
		}
		id := a.parts[i].ID
		r, err := a.place.recorded(ctx, id, a.parts[i].Key)
		if err != nil {
			return nil, err
		}
		if r == nil {
			absent = append(absent, id)
		}
		list = append(list, r)
	}
	if absent != nil {
		return nil, fmt.Errorf("step %s: %w: %s", a.part.ID, ErrAbsent, strings.Join(absent, ", "))
	}
	return list, nil
}

// isThere reports whether what is recorded is in the work place. A record whose files were lost is removed.
func (a *attempt) isThere(ctx context.Context, r *record) (bool, error) {
	for _, o := range r.Outputs {
		if _, err := a.place.Stat(ctx, store.Blob(o.SHA256)); errors.Is(err, store.ErrNotFound) {
			return false, a.place.Delete(ctx, recordName(r.ID, r.Inputs))
		} else if err != nil {
			return false, err
		}
	}
	switch {
	case r.Pushed != "":
		_, err := a.place.Stat(ctx, releases.Record(r.Pushed))
		return err == nil, nil
	case r.Release != "":
		place, private, _ := a.digests()
		return place == r.Release && private == r.Private, nil
	}
	return true, nil
}

// inFolder does what writes files in a directory of this attempt alone, which is removed then.
func (a *attempt) inFolder(do func(*publish.Dir) error) error {
	dir, err := a.open()
	if err != nil {
		return err
	}
	err = do(dir)
	remove(a.dir, dir)
	return err
}

// remove removes the folder of an attempt whose directory is locked. It stays where another process began the same attempt.
func remove(folder string, dir *publish.Dir) {
	left, _ := os.ReadDir(folder)
	for _, e := range left {
		if path := filepath.Join(folder, e.Name()); path != dir.Root() { // of the last step, if the place is a bucket
			os.RemoveAll(path)
		}
	}
	dir.Close()
	os.Remove(folder)
}

// open opens the directory of this attempt, and removes those of attempts of the step that were killed: nobody holds their locks.
func (a *attempt) open() (*publish.Dir, error) {
	all := filepath.Dir(a.dir)
	if err := os.MkdirAll(all, 0o755); err != nil {
		return nil, err
	}
	lock, err := os.Open(all) // an attempt that begins has no lock yet
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return nil, fmt.Errorf("lock %s: %w: network file systems do not lock folders; give --scratch DIR, a folder on a disk of this machine",
			all, err)
	}
	others, err := os.ReadDir(all)
	if err != nil {
		return nil, err
	}
	for _, e := range others {
		other := filepath.Join(all, e.Name())
		if left, err := publish.Open(publish.Target{Out: filepath.Join(other, "out"), Force: true}, publish.OS); err == nil {
			remove(other, left)
		}
	}
	return publish.Open(publish.Target{Out: a.build.Out, Force: true, Private: a.build.Custom != nil}, publish.OS)
}

// do runs the step on the files of those that it needs, and puts its own.
func (a *attempt) do(ctx context.Context, dir *publish.Dir, needs []*record) (*record, error) {
	begun := time.Now()
	made := &record{ID: a.part.ID, Inputs: a.part.Key, Program: a.build.Program(), Attempt: a.number, Outputs: []output{}}
	var notes []string
	for _, r := range needs {
		notes = append(notes, r.Notes...)
		if err := a.fetch(ctx, r, func(path string) bool { return !slices.Contains(a.part.Late, path) }); err != nil {
			return nil, err
		}
	}
	a.build.Fetch = func(ctx context.Context, late string) (err error) {
		for _, r := range needs {
			err = errors.Join(err, a.fetch(ctx, r, func(path string) bool { return path == late }))
		}
		return err
	}
	var err error
	if made.Notes, err = a.build.RunAlone(ctx, a.part, dir, notes); err != nil {
		return nil, err
	}
	for _, path := range a.part.Writes {
		o, err := describe(ctx, path)
		if err == nil && strings.HasPrefix(o.Name, schemas.Private+"/") {
			err = os.Chmod(path, 0o600) // other names of it are not in a folder of its owner alone
		}
		if err == nil {
			err = a.place.put(ctx, o, path)
		}
		if err == nil {
			err = a.kept.keep(o, path)
		}
		if err != nil {
			return nil, err
		}
		made.Outputs = append(made.Outputs, o)
	}
	if a.part.ID == pipeline.PublishPart {
		err = a.published(ctx, made)
	}
	made.Seconds = time.Since(begun).Seconds()
	return made, err
}

// fetch fetches the files of another step that this one uses and that are wanted.
func (a *attempt) fetch(ctx context.Context, of *record, wanted func(path string) bool) error {
	for _, o := range of.Outputs {
		i := slices.IndexFunc(a.part.Uses, func(path string) bool { return pipeline.FileName(path) == o.Name })
		if i < 0 || !wanted(a.part.Uses[i]) {
			continue
		}
		sent, err := a.place.fetch(ctx, o, a.part.Uses[i], a.kept)
		if err != nil {
			return err
		}
		a.used, a.sent = a.used+o.Bytes, a.sent+sent
	}
	return nil
}

// published notes which release is in its place; in a bucket that is the list of its objects.
func (a *attempt) published(ctx context.Context, made *record) (err error) {
	if made.Release, made.Private, err = a.digests(); err != nil || a.place.folder != "" {
		return err
	}
	dir := a.build.Out
	if made.Private != "" { // both are listed as a folder of releases would publish them
		dir = filepath.Dir(dir)
		_, err = publish.Pointer(dir, publish.Set{Places: a.build.Out, Private: publish.PrivateFolder(a.build.Out)})
	}
	if err == nil {
		made.Pushed, _, err = releases.Push(ctx, a.place, dir)
	}
	return err
}

// digests are those of the release that is in its place, and of the component private beside it.
func (a *attempt) digests() (release, private string, err error) {
	head, err := schemas.ReadHead(a.build.Out)
	if err != nil {
		return "", "", err
	}
	if release = head.Digest; a.build.Custom == nil {
		return release, "", nil
	}
	if head, err = schemas.ReadHead(publish.PrivateFolder(a.build.Out)); err == nil {
		private = head.Digest
	}
	return release, private, err
}

// record puts the record, unless another attempt did, whose content has to be the same. ErrDiffers.
func (a *attempt) record(ctx context.Context, made *record) error {
	err := a.place.putJSON(ctx, recordName(made.ID, made.Inputs), made)
	if !errors.Is(err, store.ErrExists) {
		return err
	}
	first, err := a.place.recorded(ctx, made.ID, made.Inputs)
	if err != nil || first == nil {
		return err
	}
	if what := first.differs(made); what != "" {
		return fmt.Errorf("%w: step %s, attempts %d and %d of inputs %s: %s", ErrDiffers, made.ID, first.Attempt, made.Attempt, made.Inputs, what)
	}
	return nil
}

func sum(text string) string {
	digest := sha256.Sum256([]byte(text))
	return hex.EncodeToString(digest[:])
}
