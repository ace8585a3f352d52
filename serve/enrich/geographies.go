package enrich

import (
	"fmt"
	"strings"

	"quartier/schemas"
	"quartier/schemas/column"
	"quartier/serve/scope"
)

// label is the id and the name of a geography.
type label struct{ id, name string }

// labels are those of the geographies of a release, each read once.
type labels struct {
	language string
	known    map[int]label
	last     []lastLabel // by column
}

type lastLabel struct {
	geography int
	label     label
}

// of is the label of a geography. Neighbouring points have the same one.
func (l *labels) of(r *scope.Release, column, geography int) label {
	last := &l.last[column]
	if last.label.id != "" && last.geography == geography {
		return last.label
	}
	found, ok := l.known[geography]
	if !ok {
		found = label{strings.Trim(string(r.AppendID(nil, geography)), `"`), r.Name(geography).In(l.language)}
		l.known[geography] = found
	}
	*last = lastLabel{geography, found}
	return found
}

// geographyFiller fills an id and a name for each level.
type geographyFiller struct {
	at     [schemas.Country + 1]int8 // by level: the position of its columns; −1 where it was not chosen
	labels labels
}

// levelsFor are the levels that were chosen of those that a group has.
func (e *Enricher) levelsFor(has []schemas.Level) ([]schemas.Level, error) {
	chosen, err := subset("levels", e.choice.Levels, schemas.LevelNumbers(schemas.Levels))
	if err != nil {
		return nil, err
	}
	var levels []schemas.Level
	for i, level := range schemas.Levels {
		for _, l := range has {
			if l == level && chosen[i] {
				levels = append(levels, level)
			}
		}
	}
	return levels, nil
}

// openGeographies has the smallest geography of each level.
func openGeographies(e *Enricher) (part, error) {
	levels, err := e.levelsFor(schemas.Levels)
	if err != nil {
		return part{}, err
	}
	var p part
	positions := [schemas.Country + 1]int8{}
	for i := range positions {
		positions[i] = -1
	}
	for i, level := range levels {
		positions[level] = int8(2 * i)
		what, ca := level.Label("US", ""), level.Label("CA", "")
		if ca.EN != what.EN {
			what.EN += " or " + ca.EN
		}
		if ca.FR != what.FR {
			what.FR += " ou " + ca.FR
		}
		for _, member := range []string{"id", "name"} {
			p.columns = append(p.columns, e.choice.column(fmt.Sprintf("geog_%d_%s", level, member),
				column.Of("geographies.smallest_"+member).With("label", what)))
		}
	}
	p.filler = func() filler {
		return &geographyFiller{positions, labels{e.choice.Language, map[int]label{}, make([]lastLabel, 2*len(levels))}}
	}
	return p, nil
}

func (f *geographyFiller) fill(at *place, k int, out []vector) bool {
	var done schemas.Level
	for _, i := range at.around() {
		level := at.release.Level(i)
		if level == done || !level.Valid() || f.at[level] < 0 {
			continue
		}
		done = level
		first := f.at[level]
		l := f.labels.of(&at.release, int(first), i)
		out[first].texts[k], out[first+1].texts[k] = l.id, l.name
	}
	return true
}
