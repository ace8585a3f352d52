package geogrid

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// Rasters is what a kind does with its files of cells. S are its options, or what it makes of them.
type Rasters[S any] struct {
	Extensions []string // of the files of a folder, subfolders included
	Open       func(s *S, path string) (*Grid, error)
	BBox       func(s *S) source.BBox
	First      bool // Check reads the first tile in the box of each file

	// Tile returns the row of a tile; nil where none of its cells is known.
	Tile func(s *S, g *Grid, t Tile, where string, out source.Sink) (source.Row, error)
	// Done returns what is wrong with a file whose tiles are read; may be nil.
	Done func(s *S, path string) error
	// Nothing says what is wrong with a source of which no tile has a row, whether or not some are in the box.
	Nothing func(s *S, selected bool) string

	Reprojected, NAD27, Empty reason.Reason // of a file that is so, and of a tile without known cells
}

// Kind completes a kind that reads a file of cells, or a folder of them, tile by tile.
func Kind[S any](d source.Declaration[S], r Rasters[S]) source.Declaration[S] {
	d.Reasons = []reason.Reason{source.OutsideBBox}
	if r.Done == nil {
		r.Done = func(*S, string) error { return nil }
	}
	d.Inspect = func(ctx context.Context, in source.Input, s *S) error {
		files, err := source.Files(in.Path, r.Extensions...)
		faults := source.Faults(source.Flatten(err))
		for _, path := range files {
			if err := ctx.Err(); err != nil {
				return err
			}
			faults.Add(r.check(s, path))
		}
		return faults.Err()
	}
	d.Read = r.read
	return d
}

// errChecked ends the tiles of a file that is only checked.
var errChecked = errors.New("checked")

func (r Rasters[S]) check(s *S, path string) error {
	g, err := r.Open(s, path)
	if err != nil {
		return err
	}
	defer g.Close()
	if !r.First {
		return nil
	}
	err = g.Tiles(func(t Tile) error {
		if !r.BBox(s).Touches(g.Bound(t)) {
			return nil
		}
		if _, err := r.Tile(s, g, t, "", source.Discard{}); err != nil {
			return err
		}
		return errChecked
	})
	if err != nil && err != errChecked {
		return err
	}
	return r.Done(s, path)
}

func (r Rasters[S]) read(ctx context.Context, in source.Input, s *S, out source.Sink) error {
	files, err := source.Files(in.Path, r.Extensions...)
	if err != nil {
		return err
	}
	selected, known := false, false
	for _, path := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		out.Part(filepath.Base(path))
		if err := r.file(ctx, s, path, out, &selected, &known); err != nil {
			return err
		}
	}
	if !known {
		return source.BadFile(in.Path, "%s", r.Nothing(s, selected))
	}
	return nil
}

func (r Rasters[S]) file(ctx context.Context, s *S, path string, out source.Sink, selected, known *bool) error {
	g, err := r.Open(s, path)
	if err != nil {
		return err
	}
	defer g.Close()
	name := filepath.Base(path)
	switch {
	case g.Reprojected:
		out.Issue(r.Reprojected.With(g.CRS), name)
	case g.NAD27:
		out.Issue(r.NAD27, name)
	}
	err = g.Tiles(func(t Tile) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		where := fmt.Sprintf("%s, tile %d in row %d", name, t.Number[0], t.Number[1])
		out.Read(1)
		if !r.BBox(s).Touches(g.Bound(t)) {
			out.Issue(source.OutsideBBox, where)
			return nil
		}
		*selected = true
		row, err := r.Tile(s, g, t, where, out)
		switch {
		case err != nil:
			return err
		case row == nil:
			out.Issue(r.Empty, where)
			return nil
		}
		*known = true
		return out.Row(row)
	})
	if err != nil {
		return err
	}
	return r.Done(s, path)
}
