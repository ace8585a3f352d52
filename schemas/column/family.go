package column

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"quartier/schemas"
	"quartier/schemas/demographics"
	"quartier/schemas/market"
	"quartier/schemas/place"
)

// Member is one of a family of columns.
type Member struct {
	Name string // in names of columns
	Key  string // in packs, files and agreements: a channel, category.variable, table.cell …

	family string
	kind   string // type of its column, where the family has several
	unit   string // likewise
	label  schemas.Text
}

// families are the lists that columns are repeated for.
var families = map[string]func() []Member{
	"measure": func() []Member {
		return members(schemas.Measures, func(m schemas.Measure) Member { return Member{Name: m.ID, Key: m.ID, label: m.Label} })
	},
	"score": func() []Member {
		return members(schemas.Scores, func(s schemas.Score) Member { return Member{Name: s.ID, Key: s.ID, label: s.Label} })
	},
	"category": func() []Member {
		return members(schemas.Categories, func(c schemas.Category) Member { return Member{Name: c.ID, Key: c.ID, label: c.Label} })
	},
	"attribute": func() []Member {
		return members(place.All, func(a place.Attribute) Member {
			en := strings.TrimSuffix(strings.TrimSuffix(a.Doc, " Absent if not known."), ".")
			return Member{Name: a.Name, Key: a.Name, label: schemas.Text{EN: en, FR: a.FR}}
		})
	},
	"cell": func() []Member {
		return members(demographics.Cells, func(c demographics.Cell) Member {
			return Member{Name: strings.ReplaceAll(c.ID, ".", "_"), Key: c.ID, label: schemas.Text{EN: c.ID, FR: c.ID}}
		})
	},
	"around":    func() []Member { return variables(demographics.Around) },
	"geography": func() []Member { return variables(demographics.ByGeography) },
	"metric":    metrics,
}

func members[T any](list []T, of func(T) Member) (all []Member) {
	for _, item := range list {
		all = append(all, of(item))
	}
	return all
}

// metrics are those of market statistics. Each is what its member of answers is, after the objects around it.
func metrics() []Member {
	all := make([]Member, market.MetricCount)
	for _, at := range MarketMembers() {
		if at.Object || at.Again {
			continue
		}
		m := Member{Name: at.Metric.String(), Key: at.Metric.String(), kind: at.Metric.Type()}
		for i, key := range at.Columns {
			text := rows()[key].Text
			if i > 0 {
				text = schemas.Text{EN: m.label.EN + ": " + lowerFirst(text.EN), FR: m.label.FR + " : " + lowerFirst(text.FR)}
			}
			m.label = text
		}
		all[at.Metric] = m
	}
	return all
}

// variables are those of demographics. A name that two categories have is preceded by the category.
func variables(list []demographics.Category) (all []Member) {
	times := map[string]int{}
	places := demographics.Flat(list)
	for _, p := range places {
		times[list[p.Category].Variables[p.Variable].ID]++
	}
	for _, p := range places {
		category := &list[p.Category]
		v := &category.Variables[p.Variable]
		m := Member{Name: v.ID, Key: category.ID + "." + v.ID, kind: "int64", label: schemas.Text{
			EN: category.Label("en") + ": " + v.Label("", "en"), FR: category.Label("fr") + " : " + v.Label("", "fr")}}
		if times[v.ID] > 1 {
			m.Name = category.ID + "_" + v.ID
		}
		switch {
		case v.Method == demographics.Share:
			m.kind, m.unit = "decimal(5,4)", Share
		case v.Decimals() > 0:
			m.kind = fmt.Sprintf("decimal(12,%d)", v.Decimals())
		}
		if v.Method == demographics.Median || v.Method == demographics.Mean {
			m.unit = "dollars"
		}
		all = append(all, m)
	}
	return all
}

var braces = regexp.MustCompile(`\{(\w+)\}`)

// familyIn is the family that a name has in braces; "" if it has none.
func familyIn(name string) string {
	if found := braces.FindStringSubmatch(name); found != nil && families[found[1]] != nil {
		return found[1]
	}
	return ""
}

// Members are those of the family that a pattern such as median_{score} has in braces; none if it has none.
func Members(pattern string) []Member {
	family := familyIn(pattern)
	if family == "" {
		return nil
	}
	all := families[family]()
	for i := range all {
		all[i].family = family
	}
	return all
}

// Fill is a text with the member's name in place of its family, and its key in place of {key}.
func (m *Member) Fill(text string) string {
	return strings.NewReplacer("{"+m.family+"}", m.Name, "{key}", m.Key).Replace(text)
}

func lowerFirst(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(first)) + text[n:]
}
