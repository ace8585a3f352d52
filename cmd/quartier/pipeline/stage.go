package pipeline

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"quartier/ingest"
	"quartier/internal/estimate"
	"quartier/internal/stamp"
)

// The stages of a region.
const (
	IngestStage    = "ingest"
	LendStage      = "lend"
	TransformStage = "transform"
)

// stage writes files from its inputs: to temporary names, which are then renamed. A stamp next to the first has the digests of
// the inputs and of the files; while they are the same, the files are reused. Where only a file's differs it is damaged, and
// all are written again.
type stage struct {
	name   string // in tables and ids
	phase  estimate.Phase
	uses   []string // paths of files that other stages write
	late   []string // those of uses that it may do without
	writes []string
	inputs stamp.Inputs // everything that the files depend on
	run    func(ctx context.Context, writes []string) error
	log    *slog.Logger
}

// do runs the stage unless the plan reuses its output.
func (s stage) do(ctx context.Context, reuse bool) (Step, error) {
	begun := time.Now()
	if reuse {
		return Step{Reused: true}, ctx.Err()
	}
	if err := s.write(ctx); err != nil {
		return Step{}, err
	}
	made, err := stamp.New(ctx, s.inputs, s.writes...)
	if err != nil {
		return Step{}, err
	}
	data, err := made.Encode()
	if err == nil {
		err = os.WriteFile(s.stamp(), data, 0o644)
	}
	step := Step{Seconds: time.Since(begun).Seconds()}
	for _, f := range made.Files {
		step.bytes += f.Bytes
	}
	return step, err
}

// write writes the files, whose stamp is removed before.
func (s stage) write(ctx context.Context) error {
	var parts, temporary []string
	for _, path := range s.writes {
		part := path + ".part"
		parts, temporary = append(parts, part), append(temporary, part, part+".wal")
	}
	if err := removeAll(slices.Concat(temporary, []string{s.stamp()}, s.writes)...); err != nil {
		return err
	}
	if err := s.run(ctx, parts); err != nil {
		return errors.Join(err, removeAll(temporary...))
	}
	for i, part := range parts {
		if _, err := os.Stat(part + ".wal"); err == nil {
			return fmt.Errorf("%s is incomplete: it still has a write-ahead log", part)
		}
		if err := os.Rename(part, s.writes[i]); err != nil {
			return err
		}
	}
	return nil
}

// current decides whether the files are there, of these inputs, and as they were written.
func (s stage) current(ctx context.Context) (stamp.Verdict, error) {
	v, err := stamp.Read(s.stamp()).Check(ctx, s.inputs, s.writes...)
	if v.Damaged {
		s.log.Warn("an intermediate database is damaged and will be built again", "file", s.writes[0], "reason", v.Why)
	}
	return v, err
}

func (s stage) stamp() string { return s.writes[0] + ".stamp" }

func removeAll(paths ...string) error {
	var failed error
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// programDigest returns the SHA-256 of the running program.
func programDigest(ctx context.Context) (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	digest, _, err := ingest.Digest(ctx, path)
	return digest, err
}
