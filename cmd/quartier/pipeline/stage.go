package pipeline

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
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

// stage writes one file from its inputs: to a temporary name, which is then renamed. A stamp next to the output has the
// digests of the inputs and of the output; while they are the same, the output is reused. Where only the output's differs
// it is damaged, and written again.
type stage struct {
	name   string // in tables and ids
	phase  estimate.Phase
	uses   []string // paths of files that other stages write
	output string
	inputs stamp.Inputs // everything that the output depends on
	run    func(ctx context.Context, output string) error
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
	made, err := stamp.New(ctx, s.inputs, s.output)
	if err != nil {
		return Step{}, err
	}
	data, err := made.Encode()
	if err == nil {
		err = os.WriteFile(s.stamp(), data, 0o644)
	}
	return Step{Seconds: time.Since(begun).Seconds(), bytes: made.Files[0].Bytes}, err
}

// write writes the output, whose stamp is removed before.
func (s stage) write(ctx context.Context) error {
	part := s.output + ".part"
	if err := removeAll(part, part+".wal", s.stamp(), s.output); err != nil {
		return err
	}
	if err := s.run(ctx, part); err != nil {
		return errors.Join(err, removeAll(part, part+".wal"))
	}
	if _, err := os.Stat(part + ".wal"); err == nil {
		return fmt.Errorf("%s is incomplete: it still has a write-ahead log", part)
	}
	return os.Rename(part, s.output)
}

// current decides whether the output is there, of these inputs, and as it was written.
func (s stage) current(ctx context.Context) (stamp.Verdict, error) {
	v, err := stamp.Read(s.stamp()).Check(ctx, s.inputs, s.output)
	if v.Damaged {
		s.log.Warn("an intermediate database is damaged and will be built again", "file", s.output, "reason", v.Why)
	}
	return v, err
}

func (s stage) stamp() string { return s.output + ".stamp" }

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
