package demographics

import (
	"regexp"
	"strings"
)

// surveyName is the own name of the survey of a country whose vintage has a form. $1 and $2 are years.
type surveyName struct {
	country string
	vintage *regexp.Regexp
	en, fr  string
}

var surveyNames = []surveyName{
	{"US", regexp.MustCompile(`^(\d{4})-(\d{4})$`), "American Community Survey $1–$2 5-year estimates",
		"American Community Survey $1–$2, estimations sur 5 ans"},
	{"US", regexp.MustCompile(`^(\d{4})$`), "$1 Decennial Census", "Recensement décennal de $1"},
	{"CA", regexp.MustCompile(`^(\d{4})$`), "$1 Census of Population", "Recensement de la population de $1"},
}

// SurveyNames are the names of the censuses and surveys with the given vintages, which are joined by ", ", in 'en' or 'fr'; a
// vintage of another form is its own name.
//
//	"2019-2023" in the US is American Community Survey 2019–2023 5-year estimates
func SurveyNames(country, vintages, language string) string {
	var names []string
	for _, vintage := range strings.Split(vintages, ", ") {
		name := vintage
		for _, s := range surveyNames {
			if s.country == country && s.vintage.MatchString(vintage) {
				name = s.vintage.ReplaceAllString(vintage, map[bool]string{true: s.fr, false: s.en}[language == "fr"])
			}
		}
		names = append(names, name)
	}
	return strings.Join(names, "; ")
}
