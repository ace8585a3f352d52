package verify

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"slices"

	"quartier/build/released"
	"quartier/build/texts"
	"quartier/internal/parallel"
	"quartier/schemas"
	"quartier/schemas/profile"
)

// textBatch is the number of profiles that are in memory.
const textBatch = 512

// checkProfiles looks up the places of profiles, and makes every text again from its facts. What is made breaks no rule of texts
// (texts.Of), whose spans of names the plan of the text knows; so what is stored and equal to it breaks none.
func checkProfiles(ctx context.Context, db *sql.DB, dir string, m *schemas.Manifest) error {
	if err := checkGeographiesExist(ctx, db, dir, "profile", "SELECT geog_id FROM profile_place"); err != nil {
		return err
	}
	c := profileChecker{ctx: ctx, builtBy: m.ToolVersion}
	if err := released.Profiles(ctx, db, "", c.add); err != nil && len(c.found) < mostFaults {
		return err
	}
	if err := c.flush(); err != nil {
		return err
	}
	return c.found.orNil()
}

// profileChecker checks profiles in batches, on all processors.
type profileChecker struct {
	ctx     context.Context
	builtBy string
	batch   []released.Profile
	found   Faults
}

func (c *profileChecker) add(p *released.Profile) error {
	if c.batch = append(c.batch, *p); len(c.batch) < textBatch {
		return nil
	}
	if err := c.flush(); err != nil {
		return err
	}
	if len(c.found) >= mostFaults {
		return c.found
	}
	return nil
}

// flush checks the batch.
func (c *profileChecker) flush() error {
	errs := make([]error, len(c.batch))
	if err := parallel.Each(c.ctx, len(c.batch), func(i int) { errs[i] = c.check(&c.batch[i]) }); err != nil {
		return err
	}
	for i, err := range errs {
		if err != nil {
			c.found = append(c.found, Fault{c.batch[i].Place.ID, err})
		}
	}
	c.batch = c.batch[:0]
	return nil
}

func (c *profileChecker) check(p *released.Profile) error {
	made, _ := texts.Of(p.Place, p.Facts)
	for _, language := range profile.Languages(&p.Place) {
		stored := p.Texts[language]
		if err := checkAgreement(p, &stored); err != nil {
			return fmt.Errorf("geography %s in %s: %w", p.Place.ID, language, err)
		}
		for section := range stored {
			if again := made[language][section]; !equalSentences(again, stored[section]) {
				return fmt.Errorf("geography %s, %s in %s: its facts result in %+v, not in %+v (release built by %s)", p.Place.ID,
					profile.Section(section), language, again, stored[section], c.builtBy)
			}
		}
	}
	return nil
}

func equalSentences(a, b []profile.Sentence) bool {
	return slices.EqualFunc(a, b, func(a, b profile.Sentence) bool {
		return a.Text == b.Text && a.Pattern == b.Pattern && (len(a.Facts) == 0 && len(b.Facts) == 0 || reflect.DeepEqual(a.Facts, b.Facts))
	})
}
