// Package texts writes the profiles of geographies: it makes the texts of the facts that come in, on all processors, and
// passes them on in the order of the facts.
package texts

import (
	"cmp"
	"context"
	"slices"

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

// Write calls add with the profile of every place that collect emits, in the same order. The texts of neighbours, by id, differ.
// The texts of a batch are made while the one before it is added.
func Write(ctx context.Context, neighbours map[string][]string, collect func(emit func(profile.Place, []profile.Fact) error) error, add func(*Profile) error) error {
	w := writer{ctx: ctx, add: add, added: make(chan error, 1), apart: apart{neighbours, map[string][][]string{}, map[string]int{}}}
	w.added <- nil
	err := collect(w.emit)
	if err == nil {
		err = w.flush()
	}
	return cmp.Or(err, <-w.added)
}

type writer struct {
	ctx   context.Context
	add   func(*Profile) error
	batch []Profile
	added chan error // of the batch before
	apart apart
}

// emit keeps a place; the facts are copied.
func (w *writer) emit(place profile.Place, facts []profile.Fact) error {
	w.batch = append(w.batch, Profile{Place: place, Facts: slices.Clone(facts)})
	if len(w.batch) < batchSize {
		return nil
	}
	return w.flush()
}

// flush makes the texts of the batch, waits until the batch before it is added, and has this one added.
func (w *writer) flush() error {
	batch := w.batch
	w.batch = nil
	err := parallel.Each(w.ctx, len(batch), func(i int) { batch[i].Texts = Of(batch[i].Place, batch[i].Facts) })
	if err != nil {
		return err
	}
	for i := range batch {
		w.apart.choose(&batch[i])
	}
	if err := <-w.added; err != nil {
		w.added <- nil
		return err
	}
	go func() { w.added <- w.addAll(batch) }()
	return nil
}

func (w *writer) addAll(batch []Profile) error {
	for i := range batch {
		if err := w.add(&batch[i]); err != nil {
			return err
		}
	}
	return nil
}
