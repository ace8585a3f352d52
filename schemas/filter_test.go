package schemas

import "testing"

func TestRegionMatches(t *testing.T) {
	for _, c := range []struct {
		code, allowance string
		want            bool
	}{{"US_DE", "US_DE", true}, {"US_DE", "US", true}, {"US", "US", true}, {"US_DE", "U", false}, {"US_DE", "", false}, {"US", "US_DE", false},
		{"USA_X", "US", false}, {"", "", false}} {
		if RegionMatches(c.code, c.allowance) != c.want {
			t.Errorf("%q in %q: %v", c.code, c.allowance, !c.want)
		}
	}
}
