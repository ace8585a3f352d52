// Package texts writes the profiles of geographies: it makes the texts of the facts that come in, on all processors, and
// passes them on in the order of the facts.
package texts

import (
	"context"

	"quartier/internal/parallel"
	"quartier/internal/prose"
	"quartier/schemas/profile"
)

// Profile is a place with its facts and its texts by language.
type Profile struct {
	Place profile.Place
	Facts []profile.Fact
	Texts map[string]profile.Text
}

// batchSize is the number of profiles that are in memory.
const batchSize = 512

// Of makes the texts about a place in its languages.
func Of(place profile.Place, facts []profile.Fact) map[string]profile.Text {
	texts := map[string]profile.Text{}
	for _, language := range profile.Languages(&place) {
		texts[language] = prose.Profile(place, facts, language)
	}
	return texts
}

// Write calls add with the profile of every place that collect emits, in the same order.
func Write(ctx context.Context, collect func(emit func(profile.Place, []profile.Fact) error) error, add func(*Profile) error) error {
	w := writer{ctx: ctx, add: add}
	if err := collect(w.emit); err != nil {
		return err
	}
	return w.flush()
}

type writer struct {
	ctx   context.Context
	add   func(*Profile) error
	batch []Profile
}

// emit keeps a place; the facts are copied.
func (w *writer) emit(place profile.Place, facts []profile.Fact) error {
	w.batch = append(w.batch, Profile{Place: place, Facts: append([]profile.Fact(nil), facts...)})
	if len(w.batch) < batchSize {
		return nil
	}
	return w.flush()
}

// flush makes the texts of the batch and passes it on.
func (w *writer) flush() error {
	err := parallel.Each(w.ctx, len(w.batch), func(i int) {
		p := &w.batch[i]
		p.Texts = Of(p.Place, p.Facts)
	})
	for i := range w.batch {
		if err == nil {
			err = w.add(&w.batch[i])
		}
	}
	w.batch = w.batch[:0]
	return err
}
