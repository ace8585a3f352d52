package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"

	"quartier/schemas"
)

// profiledSizes are the numbers of geographies of which texts are written.
var profiledSizes = []int{25_000, 100_000}

// textRounds limits the rounds of texts, of which one takes minutes.
const textRounds = 1

// profileLimit is the time that the texts of the most of them may take, in seconds.
const profileLimit = 120

// measureProfiles measures the writing of texts from facts to the pack, and how it scales; and compares answers with the
// ceiling.
func (b *bench) measureProfiles(ctx context.Context) {
	b.measureTexts(ctx)
	w := b.serve(ctx)
	text := fmt.Sprintf(`SELECT '/v3/profiles/' || geog_id || '?locale=' || locale FROM profile_text WHERE ordinal = 0 ORDER BY geog_id, `+
		`locale LIMIT %d`, sampleSize)
	targets := query(w, schemas.ProfilesFile, text, func(target *string) []any { return []any{target} })
	if len(targets) == 0 {
		failf("no geography has a profile")
	}
	d := b.comparisonOf(ctx, w, targets)
	defer d.stop()
	checked(d.bodies, func(i int, answer *schemas.ProfileAnswer) {
		if answer.Data.Intro == "" {
			failf("%w: no intro in the answer to %s", errDifferent, targets[i])
		}
	})
	b.timeAgainst(ctx, d, "profile of a geography", peer{d.bare, 0.8})
}

// measureTexts measures the texts of as many geographies as profiledSizes says, in both languages.
func (b *bench) measureTexts(ctx context.Context) {
	var first []float64
	for _, size := range profiledSizes {
		var rates, times []float64
		var peak float64
		var sentences, bytes int64
		for range min(b.Rounds, textRounds) {
			written := runSelf(ctx, "profiles", strconv.Itoa(size), filepath.Join(b.dir, "profiles"))
			var seconds float64
			must(fmt.Sscan(written.Output, &sentences, &bytes, &seconds))
			rates, times, peak = append(rates, float64(size)/seconds), append(times, seconds), max(peak, written.PeakMB)
		}
		figure := fmt.Sprintf("%.1f s, %.0f geographies/s, %d sentences, pack of %.0f MB, peak memory %.0f MB",
			spreadOf(times).Median, spreadOf(rates).Median, sentences, float64(bytes)/1e6, peak)
		name := fmt.Sprintf("texts of %d geographies", size)
		if first == nil {
			first = rates
			continue
		}
		b.Record(name, fmt.Sprintf("limit of %d s", profileLimit), runtime.GOMAXPROCS(0), "limit/seconds", inverse(profileLimit, times), 1,
			figure)
		b.Record(name, "a quarter of them", runtime.GOMAXPROCS(0), "geographies/s", ratios(rates, first), 0.8, figure)
	}
}
