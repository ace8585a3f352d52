package demographics

import (
	"strconv"

	"quartier/internal/demography"
	"quartier/schemas"
	vocabulary "quartier/schemas/demographics"
	"quartier/serve/endpoint"
)

// categoryFragments are the constant parts of the JSON of a category: head, variables, `]}`.
type categoryFragments struct {
	head      string // `"commute_mode":{"label":"Commute mode","type":"percent","variables":[`
	variables []variableFragments
}

// variableFragments are the constant parts of the JSON of a variable and the comma after it: head, value, tail. With an
// interval they are head, value, between, lower, `,"upper":`, upper, `}},`. A bound has upper or lower in place of tail.
type variableFragments struct {
	head     string // `{"variable":"cmtr_cycle","value":`
	tail     string // `,"label":"Bicycle"` and, by geography, the type, and `},`
	between  string // the same with `,"confidence_interval":{"lower":` in place of `},`
	upper    string // tail with `,"open":"upper"`
	lower    string // and with `,"open":"lower"`
	next     string // tail, and head of the next variable
	decimals int
}

// edition selects labels: a country, "CA" or "US", and a language.
type edition struct{ country, language string }

var (
	demographicsMeta   = endpoint.OpenMeta("demographics")
	aroundFragments    = fragmentsOf(vocabulary.Around, false)
	geographyFragments = fragmentsOf(vocabulary.ByGeography, true)

	// dataMeta is the JSON of data.meta without its closing brace.
	dataMeta = func() map[edition]string {
		all := map[edition]string{}
		for of := range aroundFragments {
			meta := endpoint.AppendEncoded(nil, schemas.DemographicsMeta{CountryCode: of.country, Language: of.language,
				Version: schemas.DemographicsVersion})
			all[of] = string(meta[:len(meta)-1])
		}
		return all
	}()
)

func fragmentsOf(categories []vocabulary.Category, typed bool) map[edition][]categoryFragments {
	all := map[edition][]categoryFragments{}
	for _, country := range schemas.Countries {
		for _, language := range endpoint.Languages {
			of := edition{country, language}
			for i := range categories {
				all[of] = append(all[of], of.category(&categories[i], typed))
			}
		}
	}
	return all
}

func (of edition) category(c *vocabulary.Category, typed bool) categoryFragments {
	f := categoryFragments{head: endpoint.Quote(c.ID) + `:{"label":` + endpoint.Quote(c.Label(of.language)) +
		`,"type":` + endpoint.Quote(c.Type()) + `,"variables":[`}
	for n := range c.Variables {
		v := &c.Variables[n]
		tail := `,"label":` + endpoint.Quote(v.Label(of.country, of.language))
		if typed {
			tail += `,"type":` + endpoint.Quote(v.Type())
		}
		f.variables = append(f.variables, variableFragments{
			head: `{"variable":` + endpoint.Quote(v.ID) + `,"value":`, tail: tail + "},",
			between: tail + `,"confidence_interval":{"lower":`, decimals: v.Decimals(),
			upper: tail + `,"open":"upper"},`, lower: tail + `,"open":"lower"},`,
		})
	}
	for n := range len(f.variables) - 1 {
		f.variables[n].next = f.variables[n].tail + f.variables[n+1].head
	}
	return f
}

// close ends a category whose variables were appended from first on, each followed by a comma, and appends another comma.
// It removes the category if it has no variables.
func (c *categoryFragments) close(b []byte, first int) []byte {
	if len(b) == first {
		return b[:first-len(c.head)]
	}
	b[len(b)-1] = ']' // instead of the last comma
	return append(b, "},"...)
}

// trimComma removes the last comma of a list that starts at begin.
func trimComma(b []byte, begin int) []byte { return b[:max(begin, len(b)-1)] }

// appendAround appends the categories around a point that have figures, separated by commas.
func appendAround(b []byte, categories []categoryFragments, figures *demography.Figures) []byte {
	begin, rest := len(b), figures[:]
	for i := range categories {
		c := &categories[i]
		b = append(b, c.head...)
		first, values, begun := len(b), rest[:len(c.variables)], false
		for n, value := range values {
			if value == demography.Absent {
				continue
			}
			v := &c.variables[n]
			if !begun {
				b = append(b, v.head...)
			}
			if value&demography.OpenUpper != 0 {
				b, begun = append(appendScaled(b, value&^demography.OpenUpper, v.decimals), v.upper...), false
				continue
			}
			b = appendScaled(b, value, v.decimals)
			if begun = n+1 < len(values) && values[n+1] != demography.Absent; begun {
				b = append(b, v.next...)
			} else {
				b = append(b, v.tail...)
			}
		}
		rest = rest[len(c.variables):]
		b = c.close(b, first)
	}
	return trimComma(b, begin)
}

// coverageUnit is in what coverage is appended.
const coverageUnit = 10000

// appendCoverage appends a coverage in ten-thousandths as a further member of data.meta.
func appendCoverage(b []byte, coverage uint32) []byte {
	return appendScaled(append(b, `,"coverage":`...), coverage, 4)
}

// appendScaled appends value / 10^decimals without trailing zeros. decimals is 0, 2 or 4: 1250 with 2 is 12.5.
func appendScaled(b []byte, value uint32, decimals int) []byte {
	switch decimals {
	case 0:
		return strconv.AppendUint(b, uint64(value), 10)
	case 2:
		value *= 100
	}
	const unit = 10000
	if value < 10*unit {
		b = append(b, byte('0'+value/unit))
	} else {
		b = strconv.AppendUint(b, uint64(value/unit), 10)
	}
	rest := value % unit
	if rest == 0 {
		return b
	}
	b = append(b, '.', byte('0'+rest/1000), byte('0'+rest/100%10), byte('0'+rest/10%10), byte('0'+rest%10))
	n := len(b)
	for b[n-1] == '0' {
		n--
	}
	return b[:n]
}
