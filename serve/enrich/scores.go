package enrich

import (
	"slices"

	"quartier/schemas"
	"quartier/schemas/column"
)

// channelFiller fills channels of the place.
type channelFiller []schemas.Channel

func (f channelFiller) fill(at *place, k int, out []vector) (known bool) {
	values, near := at.channels()
	if !near {
		return false
	}
	for i, c := range f {
		if v := values[c]; v != schemas.AbsentValue {
			out[i].numbers[k] = int64(v)
			known = true
		}
	}
	return known
}

// decimal is a column of which the API writes one decimal at least, such as a channel, unrounded.
func (c *Choice) decimal(name, key string) Column {
	added := c.column(name, column.Of(key))
	added.AtLeast = 1
	return added
}

// openScores has the scores that were chosen.
func openScores(e *Enricher) (part, error) {
	var p part
	var channels channelFiller
	chosen, err := subset("scores", e.choice.Scores, schemas.ScoreIDs())
	if err != nil {
		return p, err
	}
	for i, s := range schemas.Scores {
		if !chosen[i] || e.client.Scores != nil && !slices.Contains(e.client.Scores, s.ID) {
			continue
		}
		channels = append(channels, schemas.FirstScore+schemas.Channel(i))
		p.columns = append(p.columns, e.choice.decimal("score_"+s.ID, "scores."+s.ID))
	}
	p.places, p.filler = true, func() filler { return channels }
	return p, nil
}

// openMeasures has all measures; those that are scores under another name need that score in the agreement.
func openMeasures(e *Enricher) (part, error) {
	var p part
	var channels channelFiller
	for i, m := range schemas.Measures {
		if m.Score != "" && e.client.Scores != nil && !slices.Contains(e.client.Scores, m.Score) {
			continue
		}
		channels = append(channels, schemas.Channel(i))
		p.columns = append(p.columns, e.choice.decimal("measure_"+m.ID, "snapshot."+m.ID))
	}
	p.places, p.filler = true, func() filler { return channels }
	return p, nil
}
