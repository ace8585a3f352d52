package verify

import (
	"fmt"

	"quartier/build/released"
	"quartier/internal/prose/plan"
	"quartier/schemas/profile"
)

// checkAgreement returns an error for a sentence that states a fact which the text of a score of the same place contradicts.
func checkAgreement(p *released.Profile, text *profile.Text) error {
	for section := range text {
		for k := range text[section] {
			s := &text[section][k]
			for _, i := range s.Facts {
				if f := &p.Facts[i]; plan.Disagrees(f, p.Facts) != "" {
					return fmt.Errorf("%q states %s %s of %v, which the text of the score %s contradicts", s.Text, f.Code, f.Subject, f.Value,
						plan.Disagrees(f, p.Facts))
				}
			}
		}
	}
	return nil
}
