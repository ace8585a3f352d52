// Package facts collects what is known of every geography of levels 10 to 38: scores and their spread over homes, counts
// of places, what the homes are, lines and stations, parks, streets of shops. Profiles are made of these facts alone. Their
// sources are the finished files of the release, and the homes, which are not released.
//
// Geographies beside the release, those of its component private, are described by what is in the release, and compared with
// its geographies.
//
// A fact is only given if it is known. A count of none, for example, is one only where the class of places is known at
// every home, so that the edge of the data is far enough.
package facts

import (
	"cmp"
	"context"
	"fmt"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/build/homes"
	"quartier/internal/parallel"
	"quartier/schemas/calibration"
	"quartier/schemas/profile"
)

// Input is what facts are collected from.
type Input struct {
	Dir      string // of the release: its geographies, POIs, streets with scores and demographics are finished
	Scratch  string // folder for temporary files
	Assembly *assembly.Assembly
	Homes    *homes.Index

	Own  string          // folder of the geographies with scores and demographics, beside the release; "": the release has them
	Only map[string]bool // geog_ids of those whose facts are collected; nil: all
}

// own is the folder of the geographies.
func (in *Input) own() string { return cmp.Or(in.Own, in.Dir) }

// batchSize is the number of geographies of which the facts are in memory.
const batchSize = 512

// Collect calls emit for every geography of levels 10 to 38 that has facts, current or superseded, ordered by geog_id. The
// facts are in a fixed order. The slice is valid until emit returns.
//
// Geographies are visited once, and their facts kept in a temporary file: what is typical of a region is known only then.
func Collect(ctx context.Context, in Input, emit func(profile.Place, []profile.Fact) error) error {
	w, err := newWorld(ctx, &in)
	if err != nil {
		return fmt.Errorf("read the release: %w", err)
	}
	defer w.close()
	kept, err := newSpill(in.Scratch)
	if err != nil {
		return err
	}
	defer kept.close()
	typical := newTypical()
	if in.Own != "" {
		if err := typical.addReleased(ctx, in.Dir); err != nil {
			return fmt.Errorf("read the facts of the release: %w", err)
		}
	}
	boxes, err := w.boxes(&in)
	if err != nil {
		return err
	}
	if err := w.walk(ctx, in.Assembly, boxes); err != nil {
		return fmt.Errorf("find what is near on foot: %w", err)
	}
	for first := 0; first < len(w.subjects); first += batchSize {
		batch := w.subjects[first:min(first+batchSize, len(w.subjects))]
		if err := w.collect(ctx, batch); err != nil {
			return fmt.Errorf("collect facts: %w", err)
		}
		for i := range batch {
			if in.Own == "" {
				typical.add(&batch[i], batch[i].facts)
			}
			if err := kept.add(batch[i].facts); err != nil {
				return err
			}
			batch[i].facts = nil
		}
	}
	typical.sort()
	if err := kept.rewind(); err != nil {
		return err
	}
	for i := range w.subjects {
		facts, err := kept.next()
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(facts) == 0 {
			continue
		}
		typical.rank(&w.subjects[i], facts)
		if err := emit(w.subjects[i].place, facts); err != nil {
			return err
		}
	}
	return nil
}

// boxes are those of the geographies where some alone are collected; nil: they may be anywhere.
func (w *world) boxes(in *Input) (boxes []orb.Bound, err error) {
	if in.Only == nil {
		return nil, nil
	}
	boxes = []orb.Bound{}
	for i := range w.subjects {
		outline, err := w.readOutline(w.subjects[i].place.ID)
		if err != nil {
			return nil, err
		}
		boxes = append(boxes, outline.Bound())
	}
	return boxes, nil
}

// collect collects the facts of a batch of geographies.
func (w *world) collect(ctx context.Context, batch []subject) error {
	rows := make([]rows, len(batch))
	for i := range batch {
		var err error
		if rows[i], err = w.read(batch[i].place.ID); err != nil {
			return err
		}
	}
	return parallel.EachWith(ctx, len(batch), w.newCollector, func(c *collector, i int) error {
		c.begin(&batch[i], &rows[i])
		for _, collect := range []func(){c.within, c.scores, c.typologies, c.places, c.lines, c.landmarks, c.dwellings, c.walked} {
			collect()
		}
		batch[i].facts = c.facts
		return c.err
	})
}

// constants are those of the facts.
func constants() *calibration.Facts { return &calibration.Standard().Facts }
