package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"quartier/ingest"
)

// stage makes one file out of named inputs, beside its place and then renamed. A stamp beside the file says what it
// was made from; while that is the same, the file is used again.
type stage struct {
	output string
	inputs []string // digests and parameters, everything that the output depends on
	run    func(ctx context.Context, output string) error
}

func (s stage) do(ctx context.Context) (step, error) {
	begun := time.Now()
	stamp := s.output + ".stamp"
	want := s.digest()
	if s.current(stamp, want) {
		return step{Reused: true}, nil
	}
	part := s.output + ".part"
	for _, old := range []string{part, part + ".wal", stamp, s.output} {
		if err := os.Remove(old); err != nil && !errors.Is(err, os.ErrNotExist) {
			return step{}, err
		}
	}
	if err := s.run(ctx, part); err != nil {
		return step{}, errors.Join(err, removeAll(part, part+".wal"))
	}
	if _, err := os.Stat(part + ".wal"); err == nil {
		return step{}, fmt.Errorf("%s was not written whole: a log is left beside it", part)
	}
	if err := os.Rename(part, s.output); err != nil {
		return step{}, err
	}
	if err := os.WriteFile(stamp, []byte(want+"\n"), 0o644); err != nil {
		return step{}, err
	}
	return step{Seconds: time.Since(begun).Seconds()}, nil
}

func (s stage) current(stamp, want string) bool {
	have, err := os.ReadFile(stamp)
	if err != nil || string(have) != want+"\n" {
		return false
	}
	_, err = os.Stat(s.output)
	return err == nil
}

func (s stage) digest() string {
	all := sha256.New()
	for _, input := range s.inputs {
		fmt.Fprintf(all, "%d:%s\n", len(input), input)
	}
	return hex.EncodeToString(all.Sum(nil))
}

// errWorkBusy says that another build is at work in the same folder.
var errWorkBusy = errors.New("work folder is in use by another build")

// lockFolder keeps a folder for this process until unlock is called; the lock of a process that died is gone with it.
func lockFolder(dir string) (unlock func() error, err error) {
	file, err := os.OpenFile(filepath.Join(dir, ".lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		return nil, fmt.Errorf("%w: %s", errWorkBusy, dir)
	}
	return file.Close, nil
}

func removeAll(paths ...string) error {
	var failed error
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// stagingInputs is everything that a region's staged tables depend on: the program, the region file's content and
// the files it names, but not where they lie.
func (p *pipeline) stagingInputs(region *ingest.Region) []string {
	inputs := []string{p.code, region.Name, region.Title, region.Country, region.State}
	for i := range region.Sources {
		s := region.Sources[i]
		inputs = append(inputs, p.digests[&region.Sources[i]].sum, s.Describe())
	}
	return inputs
}

// programDigest is the digest of the program that runs, which stands for the code and its constants.
func programDigest(ctx context.Context) (string, int64, error) {
	path, err := os.Executable()
	if err != nil {
		return "", 0, err
	}
	return ingest.Digest(ctx, path)
}

// writeReport leaves what the closing table says for machines.
func writeReport(path string, steps []step, took time.Duration, manifest any) error {
	data, err := json.MarshalIndent(map[string]any{"seconds": took.Seconds(), "steps": steps, "manifest": manifest}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}
