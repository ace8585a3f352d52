// Package prosestats measures the texts of a release: how many geographies have one, how much those of neighbours differ,
// how long they are and how easy to read. Input: a release folder. Nothing is written.
package prosestats

import (
	"context"
	"fmt"
	"path/filepath"

	"quartier/build/neighbours"
	"quartier/build/released"
	"quartier/build/texts"
	"quartier/internal/pack/profiles"
	"quartier/schemas"
	"quartier/schemas/profile"
)

// Figures are the figures of the texts of a release.
type Figures struct {
	Levels    []Level
	Languages []Language // English, then French if there are texts
	Known     int        // places with so many facts, other than that there is none of something, that they should have fourSections
	Short     []string   // geog_ids of those that have fewer in English
}

// Of a place with manyFacts at least fourSections can be written.
const (
	manyFacts    = 20
	fourSections = 4
)

// addKnown counts a place of which much is known.
func (f *Figures) addKnown(p *released.Profile) {
	facts := 0
	for i := range p.Facts {
		if c := p.Facts[i].Code; p.Facts[i].Value > 0 || c != profile.CountFact && c != profile.ParksFact {
			facts++ // that there is none of something gives no sentence of its own
		}
	}
	if facts < manyFacts {
		return
	}
	f.Known++
	sections := 0
	for _, sentences := range p.Texts["en"] {
		if len(sentences) > 0 {
			sections++
		}
	}
	if sections < fourSections {
		f.Short = append(f.Short, p.Place.ID)
	}
}

// Level counts the current geographies of a level.
type Level struct {
	Level       schemas.Level
	Geographies int64
	Profiles    int64 // of these with a text
}

// Language are the figures of the texts in a language.
type Language struct {
	Language string
	Sections [profile.SectionCount]Section
	All      Section
	Variety  Variety
}

// Section sums up the texts of a section.
type Section struct {
	Texts     int // sections that are not empty
	Sentences int
	Words     int
	Syllables int
	Shortest  int // sentences of the shortest text; 0: none
	Longest   int
}

// SentencesPerText is the mean number of sentences of a text.
func (s *Section) SentencesPerText() float64 { return ratio(s.Sentences, s.Texts) }

// WordsPerSentence is the mean length of a sentence.
func (s *Section) WordsPerSentence() float64 { return ratio(s.Words, s.Sentences) }

// Ease is the reading ease of the texts in a language, from about 0 (hard) to 100 (easy): that of Flesch (1948) in English,
// of Kandel and Moles (1958) in French.
func (s *Section) Ease(language string) float64 {
	perSentence, perWord := ratio(s.Words, s.Sentences), ratio(s.Syllables, s.Words)
	if language == "fr" {
		return 207 - 1.015*perSentence - 73.6*perWord
	}
	return 206.835 - 1.015*perSentence - 84.6*perWord
}

func ratio(a, b int) float64 { return float64(a) / float64(max(b, 1)) }

// add adds a text.
func (s *Section) add(sentences []profile.Sentence, language string) {
	if len(sentences) == 0 {
		return
	}
	s.Texts++
	s.Sentences += len(sentences)
	if s.Shortest == 0 || len(sentences) < s.Shortest {
		s.Shortest = len(sentences)
	}
	s.Longest = max(s.Longest, len(sentences))
	for i := range sentences {
		words, syllables := Count(sentences[i].Text, language)
		s.Words += words
		s.Syllables += syllables
	}
}

// Read measures the texts of the release in a folder. Pairs of neighbours are compared with those of as many shuffles of
// the texts over the places of each level.
func Read(ctx context.Context, dir string) (*Figures, error) {
	f := &Figures{}
	m, err := schemas.ReadManifest(dir)
	if err != nil {
		return nil, fmt.Errorf("figures of texts: %w", err)
	}
	db, err := released.Open(filepath.Join(dir, schemas.ProfilesFile))
	if err != nil {
		return nil, fmt.Errorf("figures of texts: %w", err)
	}
	defer db.Close()
	masked := map[string]map[string][]string{} // sentences by language and geography
	measured := map[string]*Language{}
	for _, language := range []string{"en", "fr"} {
		measured[language] = &Language{Language: language}
		masked[language] = map[string][]string{}
	}
	err = released.Profiles(ctx, db, "", func(p *released.Profile) error {
		f.addKnown(p)
		for language, text := range p.Texts {
			l := measured[language]
			for section := range text {
				l.Sections[section].add(text[section], language)
				l.All.add(text[section], language)
			}
		}
		made, _ := texts.Of(p.Place, p.Facts) // the stored texts are not masked
		for l, sentences := range texts.Masked(made) {
			masked[profiles.Locales[l]][p.Place.ID] = sentences
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("figures of texts: %w", err)
	}
	touching, err := neighbours.Read(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("figures of texts: %w", err)
	}
	n := &places{touching.IDs, touching.Pairs}
	for _, language := range []string{"en", "fr"} {
		if l := measured[language]; l.All.Texts > 0 {
			l.Variety = n.variety(masked[language])
			f.Languages = append(f.Languages, *l)
		}
	}
	f.Levels = levels(m, n, masked["en"])
	return f, nil
}

// levels counts the current geographies with a text.
func levels(m *schemas.Manifest, n *places, texts map[string][]string) (list []Level) {
	with := map[schemas.Level]int64{}
	for _, id := range n.ids {
		if texts[id] != nil {
			level, _ := schemas.LevelOfGeogID(id)
			with[level]++
		}
	}
	for _, c := range m.Counts.Geographies {
		if c.Level <= schemas.Region {
			list = append(list, Level{c.Level, c.Rows, with[c.Level]})
		}
	}
	return list
}
