package enrich

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"quartier/internal/pack/addresses"
)

// ErrChoice is wrapped by errors about columns that there are not.
var ErrChoice = errors.New("columns that there are not")

func badChoice(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrChoice, fmt.Sprintf(format, args...))
}

// listed joins names as a sentence lists them.
func listed(names []string) string { return strings.Join(names, ", ") }

// Choice is which columns are added. What is empty has its default.
type Choice struct {
	Add        []string `yaml:"add"`        // groups; DefaultGroups, of addresses none, and those that have an option here
	Scores     []string `yaml:"scores"`     // ids; all
	Levels     []string `yaml:"levels"`     // of geographies; all
	Categories []string `yaml:"categories"` // of POIs that are counted; all, and a total
	Radius     []string `yaml:"radius"`     // 500m, 5km, pois:2km; by group that of the API
	Nearest    []string `yaml:"nearest"`    // groceries:3
	Market     []string `yaml:"market"`     // 30d:single_family; DefaultMarket
	Language   string   `yaml:"language"`   // of names: en or fr; en
	Shapes     bool     `yaml:"-"`          // rows are shapes, not points

	// AddressLevel is the least level of a match where rows have addresses, not points; "": they have points.
	AddressLevel string `yaml:"-"`
}

// DefaultGroups are those that are added where none are chosen.
var DefaultGroups = []string{"scores", "geographies"}

// DefaultShapeGroups are those of shapes.
var DefaultShapeGroups = []string{"medians", "demographics", "pois"}

// ReadChoice reads a profile file: YAML with the keys of Choice.
func ReadChoice(data []byte) (c Choice, err error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&c); err != nil && !errors.Is(err, io.EOF) {
		return c, badChoice("%v", err)
	}
	return c, nil
}

// Complete fills in the defaults, and adds the groups that have an option.
func (c Choice) Complete() (Choice, error) {
	if c.Language == "" {
		c.Language = "en"
	}
	if c.Language != "en" && c.Language != "fr" {
		return c, badChoice("language: %q is neither en nor fr", c.Language)
	}
	for name, given := range map[string][]string{"levels": c.Levels, "radius": c.Radius, "market": c.Market} {
		if c.Shapes && len(given) > 0 {
			return c, badChoice("%s: it is of points, shapes have none", name)
		}
	}
	if c.AddressLevel != "" && !slices.Contains(addresses.LevelNames[:addresses.None], c.AddressLevel) {
		return c, badChoice("address-level: %q is none of %s", c.AddressLevel, listed(addresses.LevelNames[:addresses.None]))
	}
	switch {
	case len(c.Add) > 0 || c.AddressLevel != "":
	case c.Shapes:
		c.Add = DefaultShapeGroups
	default:
		c.Add = DefaultGroups
	}
	c.Add = slices.Clone(c.Add)
	scores := "scores"
	if c.Shapes {
		scores = "medians"
	}
	for _, implied := range []struct {
		group string
		given bool
	}{
		{scores, len(c.Scores) > 0}, {"pois", len(c.Categories) > 0}, {"nearest", len(c.Nearest) > 0}, {"market", len(c.Market) > 0},
	} {
		if implied.given && !slices.Contains(c.Add, implied.group) {
			c.Add = append(c.Add, implied.group)
		}
	}
	return c, nil
}

// radii are those of a group in metres, by default one.
func (c *Choice) radii(group string, standard, most float64) (list []float64, err error) {
	for _, text := range c.Radius {
		of, length, bound := strings.Cut(text, ":")
		if !bound {
			of, length = "", text
		} else if !slices.Contains([]string{"pois", "demographics", "schools"}, of) {
			return nil, badChoice("radius: %q is none of pois, demographics, schools", of)
		}
		metres, err := lengthOf(length)
		if err != nil {
			return nil, err
		}
		if of != group && (bound || group == "schools") { // schools have one
			continue
		}
		if metres > most {
			return nil, badChoice("radius: %s is more than %g m", text, most)
		}
		if !slices.Contains(list, metres) {
			list = append(list, metres)
		}
	}
	if len(list) == 0 {
		list = []float64{standard}
	}
	return list, nil
}

// lengthOf reads whole metres: 500, 500m, 5km, 1.5km.
func lengthOf(text string) (float64, error) {
	number, unit := text, 1.0
	if rest, ok := strings.CutSuffix(text, "km"); ok {
		number, unit = rest, 1000
	} else if rest, ok := strings.CutSuffix(text, "m"); ok {
		number = rest
	}
	value, err := strconv.ParseFloat(number, 64)
	metres := value * unit
	if err != nil || !(metres >= 1) || metres != float64(int64(metres)) || metres > 1e6 {
		return 0, badChoice("radius: %q is not of the form 500m or 5km, in whole metres", text)
	}
	return metres, nil
}

// maxNearest is how many of the nearest POIs of a category can be asked for.
const maxNearest = 30

// nearest reads "groceries:3" as an index in ids and a number.
func (c *Choice) nearest(ids []string) (list []nearestPOIs, err error) {
	for _, text := range c.Nearest {
		id, number, counted := strings.Cut(text, ":")
		n := nearestPOIs{category: slices.Index(ids, id), count: 1}
		if n.category < 0 {
			return nil, badChoice("nearest: %q is none of %s", id, listed(ids))
		}
		if counted {
			if n.count, err = strconv.Atoi(number); err != nil || n.count < 1 || n.count > maxNearest {
				return nil, badChoice("nearest: %q is not of the form groceries:3, with a number from 1 to %d", text, maxNearest)
			}
		}
		if slices.ContainsFunc(list, func(o nearestPOIs) bool { return o.category == n.category }) {
			return nil, badChoice("nearest: %s is given twice", id)
		}
		list = append(list, n)
	}
	return list, nil
}
