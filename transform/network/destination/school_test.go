package destination

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"quartier/schemas"
)

func TestTablesAreSound(t *testing.T) {
	if err := checkTables(); err != nil {
		t.Error(err)
	}
}

func TestClassesOf(t *testing.T) {
	for _, c := range []struct{ categories, tags, want string }{
		{"shops_and_services,restaurants", "fast_food,unhealthy", "restaurant unhealthy_restaurant"},
		{"shops_and_services,restaurants", "healthy,vegan", "restaurant healthy_restaurant"},
		{"common_needs,food_shops,groceries,retail,shops_and_services,supermarkets", "chain", "grocery common_need"},
		{"non_food_shops,retail,shops_and_services", "bookstore", "shop library"},
		{"libraries", "", "library"},
		{"parks", "", ""}, // by their entrances
		{"airports", "", ""},
	} {
		if got := strings.Join(ClassesOf(list(c.categories), list(c.tags)), " "); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.categories, c.tags, got, c.want)
		}
	}
}

func TestSchoolLevels(t *testing.T) {
	const both = "primary_school high_school"
	for _, c := range []struct {
		name string
		tags string // "key=value; key=value" in addition to amenity=school; or a class of another scheme
		want string // "": not a school for children
	}{
		{"Fort Garrison Elementary School", "", "primary_school"},
		{"Pikesville High School", "", "high_school"},
		{"Wilmington Highschool", "", "high_school"},
		{"Highland Elementary", "", "primary_school"},
		{"High Point Elementary School", "", "primary_school"},
		{"Dover High", "", "high_school"},
		{"Pikesville Middle School", "", both},
		{"P. S. duPont Jr. High", "", both},
		{"École élémentaire publique Séraphin-Marion", "", "primary_school"},
		{"École secondaire catholique Béatrice-Desloges", "", "high_school"},
		{"Polyvalente Nicolas-Gatineau", "", "high_school"},
		{"Collège Saint-Joseph", "", "high_school"},
		{"Lisgar Collegiate Institute", "", "high_school"},
		{"Saint Andrew's School", "", "primary_school"}, // no level given
		{"", "", "primary_school"},
		{"University of Ottawa", "", ""},
		{"Kumon", "", ""},
		{"University High School", "", "high_school"},
		{"Newark Montessori Preschool", "", "daycare"},
		{"Saint Andrew's School", "isced:level=3", "high_school"},
		{"Any School", "isced:level=1;2", both},
		{"Any School", "isced:level=1-3", both},
		{"Any School", "isced:level=0", "daycare"},
		{"Any School", "isced:level=0;1", "primary_school"},
		{"Any School", "isced:level=6", ""},
		{"Any School", "grades=K-5", "primary_school"},
		{"Any School", "grades=PK-8", "primary_school"},
		{"Any School", "school:grades=6-8", both},
		{"Any School", "grades=9-12", "high_school"},
		{"Any School", "grades=7-12", "high_school"},
		{"Any School", "grades=JK-12", both},
		{"Any School", "grades=1st-5th", "primary_school"},
		{"Any School", "grades=various", "primary_school"},
		{"Anything", "class=high_school", "high_school"},
		{"Lisgar Collegiate", "class=school", "high_school"},
		{"Anything", "class=middle_school", both},
		{"Anything", "class=law_schools", ""},
	} {
		r := &record{name: c.name, scheme: "osm", tags: map[string]string{"amenity": "school"}}
		for _, tag := range strings.Split(c.tags, "; ") {
			key, value, _ := strings.Cut(tag, "=")
			if key == "class" {
				r.scheme, r.tags, r.ids = "quartier", nil, []string{value}
			} else if key != "" {
				r.tags[key] = value
			}
		}
		got := ""
		if s, ok := newSchool(r); ok {
			got = strings.Join(s.level.classes(), " ")
		}
		if got != c.want {
			t.Errorf("%s (%s): %q, want %q", c.name, c.tags, got, c.want)
		}
	}
}

func TestClassesOfMergedSchools(t *testing.T) {
	for levels, want := range map[string]string{
		"preschool": "", "elementary": "primary_school", "preschool,elementary": "primary_school", "elementary,middle": "primary_school",
		"middle": "primary_school high_school", "middle,secondary": "high_school", "secondary": "high_school",
		"preschool,elementary,middle,secondary": "primary_school high_school", "elementary,secondary": "primary_school high_school",
	} {
		if got := strings.Join(classesOfSchool(levels), " "); got != want {
			t.Errorf("%s: %s, want %s", levels, got, want)
		}
	}
}

// Buildings of one school are merged; two schools on a campus are not.
func TestSameSchools(t *testing.T) {
	make := func(key, name string, lng, area float64) school {
		r := &record{key: key, name: name, scheme: "osm", tags: map[string]string{"amenity": "school"}, point: [2]float64{lng, 39.5}, area: area}
		s, _ := newSchool(r)
		return s
	}
	const metre = 1.0 / 85900 // degrees of longitude there
	kept := mergeSchools([]school{
		make("a", "Dover High School", 0, 0),
		make("b", "Dover High School", 100*metre, 50000),
		make("c", "", 150*metre, 500),
		make("d", "Dover Middle School", 120*metre, 40000),
		make("e", "Dover Elementary School", 130*metre, 30000),
		make("f", "Dover High School", 500*metre, 0),
		make("g", "Saint Mary", 140*metre, 0),
	}, 250)
	var keys []string
	for _, s := range kept {
		keys = append(keys, s.key+strings.Join(s.level.classes(), "+"))
	}
	if got, want := strings.Join(keys, " "),
		"bhigh_school dprimary_school+high_school eprimary_school fhigh_school gprimary_school"; got != want {
		t.Errorf("kept %s, want %s", got, want)
	}
}

// checkTables checks the embedded tables.
func checkTables() error {
	for _, r := range classRules() {
		_, category := schemas.CategoryIndex(r.category)
		_, tag := schemas.TagLabel(r.tag)
		if !category || !tag && r.tag != "" || !slices.Contains(schemas.DestinationClasses, r.class) {
			return fmt.Errorf("classes.tsv: %v", r)
		}
	}
	for _, r := range schoolRules() {
		if _, known := levels[r.level]; !known {
			return fmt.Errorf("schools.tsv: %v", r)
		}
	}
	return nil
}
