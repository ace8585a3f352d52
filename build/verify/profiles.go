package verify

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"slices"
	"unicode"
	"unicode/utf8"

	"quartier/build/released"
	"quartier/build/texts"
	"quartier/internal/parallel"
	"quartier/internal/prose/fair"
	"quartier/schemas"
	"quartier/schemas/profile"
)

// textBatch is the number of profiles that are in memory.
const textBatch = 512

// checkProfiles looks up the places of profiles, checks every sentence and makes it again from its facts.
func checkProfiles(ctx context.Context, db *sql.DB, dir string, m *schemas.Manifest) error {
	if err := checkGeographiesExist(ctx, db, dir, "profile", "SELECT geog_id FROM profile_place"); err != nil {
		return err
	}
	c := profileChecker{ctx: ctx, builtBy: m.ToolVersion}
	if err := released.Profiles(ctx, db, "", c.add); err != nil {
		return err
	}
	return c.flush()
}

// profileChecker checks profiles in batches, on all processors.
type profileChecker struct {
	ctx     context.Context
	builtBy string
	batch   []released.Profile
}

func (c *profileChecker) add(p *released.Profile) error {
	if c.batch = append(c.batch, *p); len(c.batch) < textBatch {
		return nil
	}
	return c.flush()
}

// flush checks the batch; of several errors it returns that of the first profile.
func (c *profileChecker) flush() error {
	errs := make([]error, len(c.batch))
	if err := parallel.Each(c.ctx, len(c.batch), func(i int) { errs[i] = c.check(&c.batch[i]) }); err != nil {
		return err
	}
	c.batch = c.batch[:0]
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *profileChecker) check(p *released.Profile) error {
	made, names := texts.Of(p.Place, p.Facts), p.Names()
	for _, language := range profile.Languages(&p.Place) {
		stored := p.Texts[language]
		if err := checkAgreement(p, &stored); err != nil {
			return fmt.Errorf("geography %s in %s: %w", p.Place.ID, language, err)
		}
		for section := range stored {
			for k, s := range stored[section] {
				if err := checkSentence(s.Text, names, language); err != nil {
					return fmt.Errorf("geography %s, %s in %s, sentence %d, %q: %w", p.Place.ID, profile.Section(section), language, k, s.Text, err)
				}
			}
			if again := made[language][section]; !equalSentences(again, stored[section]) {
				return fmt.Errorf("geography %s, %s in %s: its facts result in %+v, not in %+v (release built by %s)", p.Place.ID, profile.Section(section), language, again, stored[section], c.builtBy)
			}
		}
	}
	return nil
}

// checkSentence returns an error for a sentence that cannot stand in a paragraph of HTML, or says what texts never say.
func checkSentence(text string, names []string, language string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("not UTF-8")
	}
	for _, r := range text {
		if unicode.IsControl(r) {
			return fmt.Errorf("control character %U", r)
		}
	}
	if word, found := fair.Find(text, names, language); found {
		return fmt.Errorf("%q is about people, safety, price or quality", word)
	}
	return nil
}

func equalSentences(a, b []profile.Sentence) bool {
	return slices.EqualFunc(a, b, func(a, b profile.Sentence) bool {
		return a.Text == b.Text && a.Pattern == b.Pattern && (len(a.Facts) == 0 && len(b.Facts) == 0 || reflect.DeepEqual(a.Facts, b.Facts))
	})
}
