package verify

import (
	"fmt"

	"quartier/build/released"
	"quartier/internal/prose/plan"
	"quartier/schemas/profile"
)

// checkAgreement returns an error for a sentence that states a fact which the text of a score of the same place contradicts.
func checkAgreement(p *released.Profile, s *profile.Sentence) error {
	for _, i := range s.Facts {
		if score := plan.Disagrees(&p.Facts[i], p.Facts); score != "" {
			return fmt.Errorf("states %s %s of %v, which the text of the score %s contradicts", p.Facts[i].Code, p.Facts[i].Subject, p.Facts[i].Value, score)
		}
	}
	return nil
}
