package serve

import (
	"strconv"

	"quartier/internal/demography"
	"quartier/schemas"
	"quartier/schemas/demographics"
)

// categoryPieces is what the JSON of a category is put together from.
type categoryPieces struct {
	head      string // `"commute_mode":{"label":"Commute mode","type":"percent","variables":[`
	variables []variablePieces
}

// variablePieces is what the JSON of a variable is put together from: head, value, tail.
type variablePieces struct {
	head     string // `{"variable":"cmtr_cycle","value":`
	tail     string // `,"label":"Bicycle"` and, by geography, the type
	between  string // tail and the beginning of an interval
	decimals int
}

// The pieces of the categories, by "CA" or "US" and by "en" or "fr".
var (
	aroundPieces    = everywhere(demographics.Around, false)
	geographyPieces = everywhere(demographics.ByGeography, true)
)

type labelled struct{ country, language string }

func everywhere(list []demographics.Category, typed bool) map[labelled][]categoryPieces {
	all := map[labelled][]categoryPieces{}
	for _, country := range []string{"CA", "US"} {
		for _, language := range languages {
			all[labelled{country, language}] = piecesIn(list, country, language, typed)
		}
	}
	return all
}

func piecesIn(list []demographics.Category, country, language string, typed bool) (pieces []categoryPieces) {
	quoted := func(s string) string { return string(appendText(nil, s)) }
	for i := range list {
		c := &list[i]
		p := categoryPieces{head: quoted(c.ID) + `:{"label":` + quoted(c.Label(language)) + `,"type":` + quoted(c.Type()) + `,"variables":[`}
		for n := range c.Variables {
			v := &c.Variables[n]
			tail := `,"label":` + quoted(v.Label(country, language))
			if typed {
				tail += `,"type":` + quoted(v.Type())
			}
			p.variables = append(p.variables, variablePieces{`{"variable":` + quoted(v.ID) + `,"value":`, tail, tail + `,"confidence_interval":{"lower":`, v.Decimals()})
		}
		pieces = append(pieces, p)
	}
	return pieces
}

// appendAround appends the members of the categories that any figure is known of, with commas between them.
func appendAround(b []byte, pieces []categoryPieces, figures *demography.Figures) []byte {
	at, begin := 0, len(b)
	for i := range pieces {
		p := &pieces[i]
		values := figures[at : at+len(p.variables)]
		at += len(p.variables)
		before := len(b)
		b = append(b, p.head...)
		first := len(b)
		for n, value := range values {
			if value == demography.Absent {
				continue
			}
			v := &p.variables[n]
			b = append(b, v.head...)
			b = appendScaled(b, value, v.decimals)
			b = append(b, v.tail...)
			b = append(b, "},"...)
		}
		if len(b) == first {
			b = b[:before]
			continue
		}
		b[len(b)-1] = ']'
		b = append(b, "},"...)
	}
	if len(b) > begin {
		b = b[:len(b)-1]
	}
	return b
}

// appendScaled appends a whole number divided by ten to the power of decimals, at most four, without zeros at its end.
func appendScaled(b []byte, value uint32, decimals int) []byte {
	switch decimals {
	case 0:
		return strconv.AppendUint(b, uint64(value), 10)
	case 2:
		value *= 100
	}
	const unit = 10000
	if value < unit {
		b = append(b, '0')
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

// demographicsMeta is the JSON of data.meta up to its closing brace.
var demographicsMeta = func() map[labelled]string {
	all := map[labelled]string{}
	for of := range aroundPieces {
		meta, err := encode(schemas.DemographicsMeta{CountryCode: of.country, Language: of.language, Version: schemas.DemographicsVersion})
		if err != nil {
			panic(err) // three strings always encode
		}
		all[of] = string(meta[:len(meta)-1])
	}
	return all
}()
