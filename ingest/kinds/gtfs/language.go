package gtfs

import (
	"cmp"
	"context"
	"strings"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// language returns the language of a tag: fr of fr-CA.
func language(tag string) string {
	tag, _, _ = strings.Cut(strings.ToLower(tag), "-")
	tag, _, _ = strings.Cut(tag, "_")
	return tag
}

// publisher has the names and the language of a feed.
type publisher struct {
	name     string
	language string            // of its texts; "" or "mul" where there is not one
	agencies map[string]string // names by id
	only     string            // name of the agency where there is only one
	timezone string            // of the first agency that has one; a feed has one for all
}

func readPublisher(ctx context.Context, f *feed, out source.Sink) (publisher, error) {
	p := publisher{agencies: map[string]string{}}
	info, err := f.table(out, feedInfoFile)
	if err != nil {
		return p, err
	}
	if info != nil {
		name, lang := info.Column("feed_publisher_name"), info.Column("feed_lang")
		err := info.each(ctx, func() reason.Reason {
			if p.name == "" {
				p.name, p.language = info.Text(name), language(info.Text(lang))
			}
			return reason.Reason{}
		}, nil)
		if err != nil {
			return p, err
		}
	}
	agencies, err := f.table(out, agencyFile)
	if err != nil || agencies == nil {
		return p, err
	}
	id, name, lang := agencies.Column("agency_id"), agencies.Column("agency_name"), agencies.Column("agency_lang")
	zone := agencies.Column("agency_timezone")
	err = agencies.each(ctx, func() reason.Reason {
		p.timezone = cmp.Or(p.timezone, agencies.Text(zone))
		if p.language == "" {
			p.language = language(agencies.Text(lang))
		}
		if len(p.agencies) == 0 {
			p.only = agencies.Text(name)
		} else {
			p.only = ""
		}
		p.agencies[agencies.Text(id)] = agencies.Text(name)
		return reason.Reason{}
	}, nil)
	if p.name == "" {
		p.name = p.only
	}
	return p, err
}

// agency returns the name of an agency; a route need not refer to the only one.
func (p *publisher) agency(id []byte) (name string, known bool) {
	if name, known = p.agencies[string(id)]; known {
		return name, true
	}
	return p.only, len(id) == 0 && p.only != "" || len(p.agencies) == 0
}

// translations are texts in other languages, by record or by the original text.
type translations map[translated]string

type translated struct {
	field    string // stop_name …; "" in the old layout, where a text is translated in all fields
	language string
	record   string // id of the record; "" where the translation is by text
	text     string
}

// readTranslations reads translations.txt in the current layout (table_name, field_name, language, translation,
// record_id or field_value) or the old one (trans_id, lang, translation).
func readTranslations(ctx context.Context, f *feed, out source.Sink) (translations, error) {
	all := translations{}
	t, err := f.table(out, translationsFile)
	if err != nil || t == nil {
		return all, err
	}
	field, lang, text := t.Column("field_name"), t.Column("language"), t.Column("translation")
	record, value := t.Column("record_id"), t.Column("field_value")
	old := t.Column("trans_id")
	if lang < 0 {
		lang = t.Column("lang")
	}
	return all, t.each(ctx, func() reason.Reason {
		key := translated{t.Text(field), language(t.Text(lang)), t.Text(record), t.Text(value)}
		if old >= 0 && field < 0 {
			key = translated{"", language(t.Text(lang)), "", t.Text(old)}
		}
		if key.record == "" && key.text == "" || key.language == "" || len(t.At(text)) == 0 {
			return invalidTranslation
		}
		if key.record != "" {
			key.text = ""
		}
		all[key] = t.Text(text)
		return reason.Reason{}
	}, nil)
}

// in returns a text in another language; "" where there is no translation.
func (a translations) in(lang, field, record, text string) string {
	for _, key := range [...]translated{{field, lang, record, ""}, {field, lang, "", text}, {"", lang, "", text}} {
		if key.record == "" && key.text == "" {
			continue
		}
		if found := a[key]; found != "" {
			return found
		}
	}
	return ""
}

// names returns a text of the feed in English and French; the French one is "" where it is the same.
func (a translations) names(feedLanguage, field, record, text string) (en, fr string) {
	en, fr = a.in("en", field, record, text), a.in("fr", field, record, text)
	if feedLanguage == "fr" {
		fr = text
	}
	if en == "" || feedLanguage == "en" {
		en = text
	}
	if fr == en {
		fr = ""
	}
	return en, fr
}
