package packs

import (
	"context"
	"database/sql"
	"fmt"

	"quartier/build/released"
	"quartier/internal/pack"
	"quartier/internal/pack/profiles"
	"quartier/schemas/profile"
)

func writeProfiles(ctx context.Context, db *sql.DB, to string) error {
	return finishPack(to, func(out *pack.Writer) error {
		w := profiles.NewWriter(out)
		if err := addSentences(ctx, db, w); err != nil {
			return err
		}
		if err := addProfiles(ctx, db, w); err != nil {
			return err
		}
		return w.Finish()
	})
}

// addSentences adds each sentence of a language once, sorted: SQLite sorts them on disk.
func addSentences(ctx context.Context, db *sql.DB, w *profiles.Writer) error {
	const query = "SELECT DISTINCT locale, text FROM profile_text ORDER BY locale, text"
	return released.Each(ctx, db, query, nil, func(rows *sql.Rows) error {
		var language, text string
		if err := rows.Scan(&language, &text); err != nil {
			return err
		}
		_, err := w.AddSentence(language, text)
		return err
	})
}

// addProfiles adds the geographies with the numbers of their sentences, which are ranks in the order of addSentences.
func addProfiles(ctx context.Context, db *sql.DB, w *profiles.Writer) error {
	const query = `SELECT geog_id, locale, section, dense_rank() OVER (PARTITION BY locale ORDER BY text) - 1
		FROM profile_text ORDER BY geog_id, locale, ordinal`
	var current string
	var texts [len(profiles.Locales)][]profiles.Sentence
	flush := func() error {
		if current == "" {
			return nil
		}
		return w.Add(current, texts)
	}
	err := released.Each(ctx, db, query, nil, func(rows *sql.Rows) error {
		var id, language, section string
		var s profiles.Sentence
		if err := rows.Scan(&id, &language, &section, &s.Number); err != nil {
			return err
		}
		if id != current {
			if err := flush(); err != nil {
				return err
			}
			current = id
			for i := range texts {
				texts[i] = texts[i][:0]
			}
		}
		var ok bool
		if s.Section, ok = profile.ParseSection(section); !ok {
			return fmt.Errorf("text of geography %s: no section %q", id, section)
		}
		for i := range texts {
			if profiles.Locales[i] == language {
				texts[i] = append(texts[i], s)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}
