package enrich

import (
	"slices"

	"quartier/schemas"
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

// channelColumn is the column of a channel, as the snapshot has it: unrounded, of 0 to 5.
func channelColumn(name, doc string) Column {
	return Column{
		Name: name, Kind: Decimal, Digits: 5, Decimals: 4, AtLeast: 1,
		Doc: doc + ", 0 to 5", Null: "no street is near, or it cannot be computed",
	}
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
		p.columns = append(p.columns, channelColumn("score_"+s.ID, "Score: "+s.Label.In(e.choice.Language)))
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
		p.columns = append(p.columns, channelColumn("measure_"+m.ID, m.Label.EN))
	}
	p.places, p.filler = true, func() filler { return channels }
	return p, nil
}
