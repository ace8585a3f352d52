package osm

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"quartier/schemas"
)

// LevelRule assigns a level to boundaries with all of its tags.
type LevelRule struct {
	Country string        `yaml:"country"` // 'CA', 'US' or '' for both
	Tags    string        `yaml:"tags"`    // "key=value key=value …"
	Level   schemas.Level `yaml:"level"`   // 0: skipped
}

//go:embed levels.csv
var levelsCSV string

// levelTable has rules in order; the first one that matches applies.
type levelTable []levelRule

type levelRule struct {
	country string
	tags    [][2]string
	level   schemas.Level
}

// newLevelTable returns the rules of the options, followed by the built-in ones.
func newLevelTable(options []LevelRule) (levelTable, error) {
	var table levelTable
	for i, rule := range options {
		parsed, err := rule.parse()
		if err != nil {
			return nil, fmt.Errorf("rule %d: %w", i+1, err)
		}
		table = append(table, parsed)
	}
	rows, err := csv.NewReader(strings.NewReader(levelsCSV)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("levels.csv: %w", err)
	}
	for i, row := range rows[1:] {
		level, err := strconv.Atoi(row[2])
		if err != nil {
			return nil, fmt.Errorf("levels.csv, line %d: %w", i+2, err)
		}
		parsed, err := LevelRule{row[0], row[1], schemas.Level(level)}.parse()
		if err != nil {
			return nil, fmt.Errorf("levels.csv, line %d: %w", i+2, err)
		}
		table = append(table, parsed)
	}
	return table, nil
}

func (r LevelRule) parse() (levelRule, error) {
	parsed := levelRule{country: r.Country, level: r.Level}
	if r.Country != "" && r.Country != "CA" && r.Country != "US" {
		return parsed, fmt.Errorf("country %q is not CA or US", r.Country)
	}
	if r.Level != 0 && !r.Level.Valid() {
		return parsed, fmt.Errorf("%d is not a level", r.Level)
	}
	for _, tag := range strings.Fields(r.Tags) {
		key, value, ok := strings.Cut(tag, "=")
		if !ok || key == "" || value == "" {
			return parsed, fmt.Errorf("tag %q is not key=value", tag)
		}
		parsed.tags = append(parsed.tags, [2]string{key, value})
	}
	if len(parsed.tags) == 0 {
		return parsed, fmt.Errorf("the rule has no tags")
	}
	return parsed, nil
}

// match returns the level of tags in a country and the index of the rule, or -1 if none matches.
func (t levelTable) match(country string, get func(key string) string) (schemas.Level, int) {
	for i, rule := range t {
		if (rule.country == "" || rule.country == country) && rule.matches(get) {
			return rule.level, i
		}
	}
	return 0, -1
}

func (r levelRule) matches(get func(key string) string) bool {
	for _, tag := range r.tags {
		if get(tag[0]) != tag[1] {
			return false
		}
	}
	return true
}
