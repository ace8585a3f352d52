// Package texts writes the profiles of geographies: it makes the texts of the facts that come in, on all processors, and
// passes them on in the order of the facts.
package texts

import (
	"cmp"
	"context"
	"slices"

	"quartier/build/released"
	"quartier/internal/parallel"
	"quartier/internal/prose"
	"quartier/schemas/profile"
	"quartier/schemas/reason"
	"quartier/schemas/release"
	"quartier/schemas/staged"
)

// Profile is a place with its facts and its texts by language.
type Profile struct {
	Place  profile.Place
	Facts  []profile.Fact
	Texts  map[string]profile.Text
	Broken map[string]error // why there is no text in a language
}

// batchSize is the number of profiles that are in memory.
const batchSize = 512

// Of makes the texts about a place in its languages. One that breaks a rule is left out, and broken says why, by language.
func Of(place profile.Place, facts []profile.Fact) (texts map[string]profile.Text, broken map[string]error) {
	texts, broken = map[string]profile.Text{}, map[string]error{}
	for _, language := range profile.Languages(&place) {
		text := prose.Profile(place, facts, language)
		if err := prose.Broken(&text, language); err != nil {
			broken[language] = err
			continue
		}
		texts[language] = text
	}
	return texts, broken
}

// Write calls add with the profile of every place that collect emits, in the same order. The texts of neighbours, by id, differ.
// The texts of a batch are made while the one before it is added. It returns how many texts were left out, and why the first.
func Write(ctx context.Context, neighbours map[string][]string, collect func(emit func(profile.Place, []profile.Fact) error) error,
	add func(*Profile) error) ([]release.Issue, error) {
	w := writer{ctx: ctx, add: add, added: make(chan error, 1), apart: apart{neighbours, map[string][][]string{}, map[string]int{}}}
	w.added <- nil
	err := collect(w.emit)
	if err == nil {
		err = w.flush()
	}
	err = cmp.Or(err, <-w.added)
	return w.left, err
}

type writer struct {
	ctx   context.Context
	add   func(*Profile) error
	batch []Profile
	added chan error // of the batch before
	apart apart
	left  []release.Issue // texts that are left out; at most one row
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
	err := parallel.Each(w.ctx, len(batch), func(i int) { batch[i].use(batch[i].Place.Variant) })
	if err != nil {
		return err
	}
	for i := range batch {
		w.apart.choose(&batch[i])
		w.leaveOut(&batch[i])
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

// brokenText is why a text is left out.
var brokenText = reason.Reason{Code: "text_left_out", Severity: reason.Rejected,
	Description: "The text of the place in one language breaks a rule of texts, in what is written around names; it is left out."}

// leaveOut counts the texts of a place that are left out.
func (w *writer) leaveOut(p *Profile) {
	for _, language := range profile.Languages(&p.Place) {
		why := p.Broken[language]
		if why == nil {
			continue
		}
		if w.left == nil {
			w.left = []release.Issue{{Step: released.TextsStep, Issue: staged.Issue{Severity: string(brokenText.Severity), Code: brokenText.Code,
				Description: brokenText.Description, Example: p.Place.ID + " in " + language + ": " + why.Error()}}}
		}
		w.left[0].Rows++
	}
}
