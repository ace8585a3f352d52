package plan

import (
	"slices"

	"quartier/schemas/profile"
)

// claim is what a fact implies of a score, whose text in words stands beside the profile: the fact is said only where the
// score, if it is known, has a band from low to high.
type claim struct {
	code     profile.Code
	subjects []string // nil: all
	from, to float64  // of the value, for which the claim holds
	score    string   // "": the subject
	low      int
	high     int
}

// anyValue is above all values.
const anyValue = 1e300

// claims are in minutes on foot, metres on foot of stations, and shares of homes.
var claims = []claim{
	// the texts of band 0 say: none within a walk
	{profile.WalkTimeFact, []string{"groceries", "restaurants", "cafes", "parks"}, 0, anyValue, "", 1, 5},
	{profile.WalkTimeFact, []string{"groceries", "cafes", "parks"}, 0, 8, "", 2, 5},                 // of band 1: a long walk
	{profile.WalkTimeFact, []string{"groceries"}, 0, 6, "", 3, 5},                                   // of band 2: a long walk
	{profile.WalkTimeFact, []string{"groceries"}, 10, anyValue, "", 1, 4},                           // of band 5: a few minutes
	{profile.WalkTimeFact, []string{"groceries"}, 15, anyValue, "", 1, 3},                           // of band 4: a short walk
	{profile.WalkTimeFact, []string{"cafes", "restaurants"}, 15, anyValue, "", 1, 4},                // of band 5: a short walk
	{profile.WalkTimeFact, []string{"parks"}, 15, anyValue, "", 1, 2},                               // from band 3: a short walk
	{profile.WalkTimeFact, []string{"groceries", "pharmacies"}, 0, 10, "pedestrian_friendly", 1, 5}, // of band 0: no errands on foot
	{profile.StationFact, nil, 0, 1600, "transit_friendly", 1, 5},
	{profile.BikewayFact, nil, 0, anyValue, "cycling_friendly", 1, 5},
	{profile.TypologyFact, []string{"urban (high access)", "main street hub", "pedestrian oriented dense",
		"pedestrian oriented semi or low density"}, 0.4, 1, "pedestrian_friendly", 4, 5},
	{profile.TypologyFact, []string{"transit friendly"}, 0.4, 1, "transit_friendly", 2, 5},
	{profile.TypologyFact, []string{"car dependent", "rural / other"}, 0.4, 1, "pedestrian_friendly", 0, 3},
	{profile.TypologyFact, []string{"car dependent"}, 0.4, 1, "transit_friendly", 0, 3},
}

// Disagrees returns the score that a fact contradicts, of the same facts; "" if it contradicts none.
func Disagrees(f *profile.Fact, facts []profile.Fact) string {
	for _, c := range claims {
		if f.Code != c.code || c.subjects != nil && !slices.Contains(c.subjects, f.Subject) || f.Value < c.from || f.Value > c.to {
			continue
		}
		score := c.score
		if score == "" {
			score = f.Subject
		}
		if b := bandOf(score, facts); b >= 0 && (b < c.low || b > c.high) {
			return score
		}
	}
	if f.Code == profile.CountFact && f.Value+f.Further == 0 && bandOf(f.Subject, facts) >= 3 {
		return f.Subject // none in the place or near it, and one within a walk
	}
	return ""
}

// bandOf is the band of a score of a place; −1: it is not known.
func bandOf(score string, facts []profile.Fact) int {
	i := slices.IndexFunc(facts, func(f profile.Fact) bool { return f.Code == profile.ScoreFact && f.Subject == score })
	if i < 0 || scoreIndex(score) < 0 {
		return -1
	}
	return band(score, facts[i].Value)
}
