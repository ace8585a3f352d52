package browser_test

import (
	"testing"

	"quartier/serve/account"
	"quartier/serve/servetest"
)

// TestFirstSight looks at what somebody sees who comes for the first time or by a link: the regions of a release, places outside of
// them and without streets, steps of the history, the order of loading, and the sheet of a telephone.
func TestFirstSight(t *testing.T) {
	chromium := needChromium(t)
	regions := []string{"us-vermont", "ca-elsewhere", "ca-northville"}
	sites := map[string]*site{
		"first": start(t, servetest.Release{POIs: 400, Regions: regions}, true, account.Agreement{Rate: 1_000_000}),
	}
	run(t, "first.mjs", chromium, "QUARTIER_CONTROL="+control(t, sites))
}
