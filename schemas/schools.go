package schemas

import "strings"

// SchoolClasses are the classes of schools in staged.poi with the scheme 'quartier', besides categories; "school" is one
// of unknown level. Schools are destinations, but not POIs.
var SchoolClasses = []string{"primary_school", "high_school", "school"}

// SchoolLevels are the levels of a school, in their order. Schools with preschool, elementary or middle are primary
// schools, those with middle or secondary high schools: a middle school is both.
var SchoolLevels = []string{"preschool", "elementary", "middle", "secondary"}

// Grades are the codes of grades, in their order; codes of one rank are those of different states and provinces.
var Grades = [][]string{{"PK", "EE", "TKG"}, {"JK", "N", "M"}, {"SK", "K"}, {"1"}, {"2"}, {"3"}, {"4"}, {"5"}, {"6"}, {"7"}, {"8"}, {"9"},
	{"10"}, {"11"}, {"12"}, {"13"}}

// Why a record belongs to a school, in school_source: the record that was kept, one that is the same school, or the row of a
// list of ratings that its rating is from.
const (
	SchoolKept        = "kept"
	SchoolAuthority   = "authority_id"  // the same number of an authority
	SchoolName        = "name"          // equal folded names nearby
	SchoolSimilarName = "similar_name"  // similar names at the same spot
	SchoolAddress     = "name_address"  // equal folded names and postal codes; one of them is not placed
	SchoolMovedName   = "name_geocoded" // equal folded names, one of them placed by its address, no other school of the name around
	SchoolRating      = "rating"
)

// SchoolReasons are all of them, and what each of them means.
var SchoolReasons = []struct{ Reason, Meaning string }{
	{SchoolKept, "its source has the highest priority"},
	{SchoolAuthority, "the same number of an authority, or the same key"},
	{SchoolName, "equal names within 250 m, or twice in one source"},
	{SchoolSimilarName, "similar names within 100 m"},
	{SchoolAddress, "equal names and postal codes, and one has no coordinates"},
	{SchoolMovedName, "equal names, one placed by its address, and no other school of the name around"},
	{SchoolRating, "its rating"},
}

// SchoolReasonText is what a reason means; "" for another text.
func SchoolReasonText(reason string) string {
	for _, r := range SchoolReasons {
		if r.Reason == reason {
			return r.Meaning
		}
	}
	return ""
}

// The kinds of words that answers about schools translate.
const (
	SchoolLevelWord    = "level"
	SchoolTypeWord     = "type"
	SchoolLanguageWord = "language"
	SchoolProgramWord  = "program"
)

// schoolWord is an English word of a kind, or the code of a language, with its French.
type schoolWord struct{ kind, id, fr string }

var (
	schoolWords     = ReadVocabulary("school_words.tsv", func(c []string) schoolWord { return schoolWord{c[0], c[1], c[2]} })
	schoolWordIndex = indexBy(schoolWords, func(w schoolWord) string { return w.kind + " " + strings.ToLower(w.id) })
)

// SchoolWordFR is the French of a word of a kind, without regard to case; the word itself where no translation is known.
func SchoolWordFR(kind, word string) string {
	if w, ok := find(schoolWords, schoolWordIndex, kind+" "+strings.ToLower(word)); ok {
		return w.fr
	}
	return word
}

// SchoolTypes are the types of a school.
var SchoolTypes = []string{"public", "private"}
