package packs

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"quartier/build/released"
	"quartier/internal/pack"
	"quartier/internal/pack/profiles"
	"quartier/internal/sqlrow"
	"quartier/schemas/profile"
)

// writeProfiles writes the texts in the order of the table's primary key.
func writeProfiles(ctx context.Context, db *sql.DB, _, to string) error {
	return finishPack(to, func(out *pack.Writer) error {
		w := profiles.NewWriter(out)
		var current string
		var texts [len(profiles.Locales)]profiles.Sentences
		flush := func() error {
			if current == "" {
				return nil
			}
			return w.Add(current, &texts)
		}
		const query = "SELECT geog_id, locale, section, text FROM profile_text ORDER BY geog_id, locale, ordinal"
		err := released.Each(ctx, db, query, nil, sqlrow.Visit4(func(id, language, key, text string) error {
			if id != current {
				if err := flush(); err != nil {
					return err
				}
				current, texts = id, [len(profiles.Locales)]profiles.Sentences{}
			}
			section, ok := profile.ParseSection(key)
			if !ok {
				return fmt.Errorf("text of geography %s: no section %q", id, key)
			}
			in := slices.Index(profiles.Locales[:], language)
			if in < 0 {
				return fmt.Errorf("text of geography %s: no language %q", id, language)
			}
			texts[in][section] = append(texts[in][section], text)
			return nil
		}))
		if err != nil {
			return err
		}
		return flush()
	})
}
