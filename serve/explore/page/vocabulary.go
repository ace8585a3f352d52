package page

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"

	"quartier/schemas"
	"quartier/schemas/demographics"
	"quartier/schemas/scoretexts"
)

// score is one of the API.
type score struct {
	ID       string         `json:"id"`
	Category string         `json:"category"`
	Name     schemas.Text   `json:"name"`
	Texts    []schemas.Text `json:"texts"` // by band, from 0 to 5
	Steps    []int          `json:"steps"` // the least value of each, in twentieths
}

// category is one of demographics, or a variable, CATEGORY.VARIABLE.
type category struct {
	ID      string       `json:"id"`
	Country string       `json:"country"` // that alone has it; "": both have
	Name    schemas.Text `json:"name"`
	Type    string       `json:"type,omitempty"` // of a variable
}

// level is one of geographies.
type level struct {
	Level int          `json:"level"`
	Name  schemas.Text `json:"name"` // in Canada, and in the United States if it is another one
}

// vocabulary is a module with the names of what the API has in both languages, so that the page repeats none of them.
func vocabulary() ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintln(&out, "// Names of what the API has, in its order, in both languages.")
	for _, list := range []struct {
		name string
		of   any
	}{
		{"scores", scores()},
		{"demographics", map[string][]category{"around": categories(demographics.Around), "geography": categories(demographics.ByGeography)}},
		{"figures", figures()},
		{"levels", levels()},
	} {
		text, err := json.MarshalIndent(list.of, "", " ")
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "\nexport const %s = %s;\n", list.name, text)
	}
	return out.Bytes(), nil
}

func scores() (all []score) {
	for i, s := range schemas.Scores {
		one := score{ID: s.ID, Category: s.Category, Name: s.Label}
		for band := range scoretexts.Bands {
			one.Texts = append(one.Texts, scoretexts.OfBand(i, band))
			one.Steps = append(one.Steps, int(scoretexts.BandFrom(i, band))/(schemas.UnitValue/20))
		}
		all = append(all, one)
	}
	return all
}

func categories(list []demographics.Category) (all []category) {
	for _, c := range list {
		all = append(all, category{ID: c.ID, Country: c.Country, Name: schemas.Text{EN: c.Label("en"), FR: c.Label("fr")}})
	}
	return all
}

// figures are the shares, amounts and ratios, and the counts by which areas are known: not the totals of which shares are.
func figures() (all []category) {
	for _, at := range demographics.Flat(demographics.ByGeography) {
		c := &demographics.ByGeography[at.Category]
		if v := &c.Variables[at.Variable]; v.Type() != "count" || len(c.Variables) == 1 {
			name := schemas.Text{EN: v.Label("CA", "en"), FR: v.Label("CA", "fr")}
			all = append(all, category{c.ID + "." + v.ID, cmp.Or(c.Country, v.Country), name, v.Type()})
		}
	}
	return all
}

func levels() (all []level) {
	for _, l := range schemas.Levels {
		name, us := l.Label("CA", ""), l.Label("US", "")
		if us.EN != name.EN {
			name = schemas.Text{EN: name.EN + ", " + us.EN, FR: name.FR + ", " + us.FR}
		}
		all = append(all, level{int(l), name})
	}
	return all
}
