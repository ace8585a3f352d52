package released

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"

	"quartier/internal/sqlrow"
	"quartier/schemas/profile"
	"quartier/schemas/release"
)

// Profile is what profiles.sqlite has of a geography.
type Profile struct {
	Place profile.Place
	Facts []profile.Fact
	Texts map[string]profile.Text // by language; without those that have no sentence
}

// Profiles visits the profiles in the order of their ids, or that of one geography if id is not "".
func Profiles(ctx context.Context, db *sql.DB, id string, visit func(*Profile) error) error {
	const where = " WHERE geog_id BETWEEN ?1 AND ?2 ORDER BY "
	last := id
	if id == "" {
		last = "~" // after all ids
	}
	quiet := context.WithoutCancel(ctx) // with ctx the driver would start a goroutine per row
	facts, stopFacts := iter.Pull2(sqlrow.Select[release.ProfileFact](quiet, db, "SELECT * FROM profile_fact"+where+"geog_id, ordinal",
		id, last))
	defer stopFacts()
	texts, stopTexts := iter.Pull2(sqlrow.Select[release.ProfileText](quiet, db, "SELECT * FROM profile_text"+where+"geog_id, locale, ordinal",
		id, last))
	defer stopTexts()
	f, t := children[release.ProfileFact]{next: facts}, children[release.ProfileText]{next: texts}
	for row, err := range sqlrow.Select[release.ProfilePlace](quiet, db, "SELECT * FROM profile_place"+where+"geog_id", id, last) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		p := Profile{Place: row.Place(), Texts: map[string]profile.Text{}}
		if err := f.each(row.GeogID, func(r *release.ProfileFact) string { return r.GeogID }, p.addFact); err != nil {
			return err
		}
		if err := t.each(row.GeogID, func(r *release.ProfileText) string { return r.GeogID }, p.addSentence); err != nil {
			return err
		}
		if err := visit(&p); err != nil {
			return err
		}
	}
	if f.left() || t.left() {
		return errors.New("facts or texts of a geography that is not in profile_place")
	}
	return nil
}

func (p *Profile) addFact(r *release.ProfileFact) error {
	fact, err := r.Fact()
	if err == nil && r.Ordinal != int64(len(p.Facts)) {
		err = fmt.Errorf("fact %d of geography %s is the %dth", r.Ordinal, r.GeogID, len(p.Facts))
	}
	p.Facts = append(p.Facts, fact)
	return err
}

func (p *Profile) addSentence(r *release.ProfileText) error {
	section, s, err := r.Sentence()
	if err != nil {
		return err
	}
	for _, at := range s.Facts {
		if at < 0 || at >= len(p.Facts) {
			return fmt.Errorf("sentence %d of geography %s states fact %d of %d", r.Ordinal, r.GeogID, at, len(p.Facts))
		}
	}
	text := p.Texts[r.Locale]
	text[section] = append(text[section], s)
	p.Texts[r.Locale] = text
	return nil
}

// children are rows in the order of their geographies.
type children[T any] struct {
	next func() (*T, error, bool)
	row  *T // that was read and not visited
	done bool
}

// each visits the rows of a geography. Geographies must be given in ascending order.
func (c *children[T]) each(id string, of func(*T) string, visit func(*T) error) error {
	for !c.done {
		if c.row == nil {
			row, err, ok := c.next()
			if err != nil {
				return err
			}
			if c.done = !ok; c.done {
				return nil
			}
			copied := *row
			c.row = &copied
		}
		if of(c.row) != id {
			return nil
		}
		if err := visit(c.row); err != nil {
			return err
		}
		c.row = nil
	}
	return nil
}

// left reports whether a row was not visited.
func (c *children[T]) left() bool {
	if c.row != nil || c.done {
		return c.row != nil
	}
	_, _, ok := c.next()
	return ok
}
