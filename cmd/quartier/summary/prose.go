package summary

import (
	"fmt"
	"io"

	"quartier/build/prosestats"
	"quartier/cmd/quartier/explained"
	"quartier/schemas/profile"
)

// Prose prints the figures of texts as Markdown.
func Prose(w io.Writer, f *prosestats.Figures) error {
	fmt.Fprint(w, "### Geographies with a profile\n\n| level | geographies | with a profile | |\n| --- | ---: | ---: | ---: |\n")
	var all prosestats.Level
	for _, l := range f.Levels {
		fmt.Fprintf(w, "| %d | %s | %s | %s |\n", l.Level, explained.Thousands(l.Geographies), explained.Thousands(l.Profiles),
			percent(l.Profiles, l.Geographies))
		all.Geographies, all.Profiles = all.Geographies+l.Geographies, all.Profiles+l.Profiles
	}
	fmt.Fprintf(w, "| all | %s | %s | %s |\n", explained.Thousands(all.Geographies), explained.Thousands(all.Profiles),
		percent(all.Profiles, all.Geographies))
	fmt.Fprintf(w, "\n%s of these have 20 facts or more; %s of them have fewer than four sections.\n", explained.Thousands(int64(f.Known)),
		explained.Thousands(int64(len(f.Short))))
	for i := range f.Languages {
		printLength(w, &f.Languages[i])
		printVariety(w, &f.Languages[i])
	}
	return nil
}

var proseLanguages = map[string]string{"en": "English", "fr": "French"}

// easeNames are the measures of reading ease.
var easeNames = map[string]string{"en": "Flesch", "fr": "Kandel-Moles"}

func printLength(w io.Writer, l *prosestats.Language) {
	fmt.Fprintf(w,
		"\n### Length and reading ease, %s\n\n| section | texts | sentences | shortest | longest | words a sentence | %s |\n| --- | ---: | "+
			"---: | ---: | ---: | ---: | ---: |\n",
		proseLanguages[l.Language], easeNames[l.Language])
	row := func(name string, s *prosestats.Section) {
		if s.Texts > 0 {
			fmt.Fprintf(w, "| %s | %s | %.1f | %d | %d | %.1f | %.0f |\n", name, explained.Thousands(int64(s.Texts)), s.SentencesPerText(),
				s.Shortest, s.Longest, s.WordsPerSentence(), s.Ease(l.Language))
		}
	}
	for section := range l.Sections {
		row(profile.Section(section).String(), &l.Sections[section])
	}
	row("all", &l.All)
}

func printVariety(w io.Writer, l *prosestats.Language) {
	v := &l.Variety
	fmt.Fprintf(w,
		"\n### Variety, %s\n\nSentences that two texts have in common, names and numbers masked, as a share of the sentences of both: %s pairs "+
			"of "+
			"geographies of a level that touch, and the same pairs with the texts shuffled over the places of a level. %s different sentences.\n\n",
		proseLanguages[l.Language], explained.Thousands(int64(v.Pairs)), explained.Thousands(int64(v.Sentence)))
	fmt.Fprint(w, "| | median | 95th percentile | most | pairs over half "+
		"| under 10 % | 20 % | 30 % | 40 % | 50 % | 60 % | 70 % | 80 % | 90 % | to 100 % |\n"+
		"| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, row := range []struct {
		name string
		s    *prosestats.Shares
	}{{"touching", &v.Touching}, {"shuffled", &v.Shuffled}} {
		fmt.Fprintf(w, "| %s | %.0f %% | %.0f %% | %.0f %% | %d |", row.name, 100*row.s.Median, 100*row.s.P95, 100*row.s.Most, row.s.OverHalf)
		for _, n := range row.s.Tenths {
			fmt.Fprintf(w, " %d |", n)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "\nThe most frequent sentences, with the number of their geographies:")
	fmt.Fprintln(w)
	for _, s := range v.Frequent {
		fmt.Fprintf(w, "- %d: %s\n", s.Places, s.Sentence)
	}
}

// percent is a share for a table.
func percent(part, whole int64) string {
	if whole == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(whole))
}
