package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"quartier/ingest"
	"quartier/ingest/source"
)

// stage writes one file from its inputs: to a temporary name, which is then renamed. A stamp file next to the output has
// the digests of the inputs and of the output; while they are the same, the output is reused. Where only the output's
// differs it is damaged, and written again.
type stage struct {
	output string
	inputs []string // digests and parameters: everything that the output depends on
	run    func(ctx context.Context, output string) error
	log    *slog.Logger
}

// do runs the stage unless the plan reuses its output.
func (s stage) do(ctx context.Context, reuse bool) (step, error) {
	begun := time.Now()
	if reuse {
		return step{Reused: true}, ctx.Err()
	}
	stamp := s.stamp()
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
		return step{}, fmt.Errorf("%s is incomplete: it still has a write-ahead log", part)
	}
	content, _, err := source.DigestFile(ctx, part)
	if err != nil {
		return step{}, err
	}
	if err := os.Rename(part, s.output); err != nil {
		return step{}, err
	}
	if err := os.WriteFile(stamp, []byte(s.stampText(content)), 0o644); err != nil {
		return step{}, err
	}
	return step{Seconds: time.Since(begun).Seconds()}, nil
}

// current reports whether the output is there, of these inputs, and as it was written.
func (s stage) current(ctx context.Context) (bool, error) {
	have, err := os.ReadFile(s.stamp())
	if err != nil || !strings.HasPrefix(string(have), s.digest()) {
		return false, nil
	}
	content, _, err := source.DigestFile(ctx, s.output)
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err == nil && string(have) == s.stampText(content):
		return true, nil
	case err == nil:
		err = errors.New("its digest is not the one that it was written with")
	}
	s.log.Warn("an intermediate database is damaged and will be built again", "file", s.output, "reason", err.Error())
	return false, nil
}

func (s stage) stamp() string { return s.output + ".stamp" }

// stampText is the content of the stamp file: the digests of the inputs and of the output.
func (s stage) stampText(content string) string { return s.digest() + " " + content + "\n" }

func (s stage) digest() string {
	all := sha256.New()
	for _, input := range s.inputs {
		fmt.Fprintf(all, "%d:%s\n", len(input), input)
	}
	return hex.EncodeToString(all.Sum(nil))
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

// stagingInputs lists everything that the staged tables of a region depend on: the program, the content of the region
// file and of the source files, but not their paths.
func (p *pipeline) stagingInputs(region *ingest.Region) []string {
	inputs := []string{p.code, region.Name, region.Title, region.Country, region.State}
	for i := range region.Sources {
		inputs = append(inputs, p.planned[region][i].SHA256, region.Sources[i].Describe())
	}
	return inputs
}

// programDigest returns the SHA-256 of the running program, which identifies the code and its constants.
func programDigest(ctx context.Context) (string, int64, error) {
	path, err := os.Executable()
	if err != nil {
		return "", 0, err
	}
	return ingest.Digest(ctx, path)
}
