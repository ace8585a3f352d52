package staging

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"quartier/ingest/source"
)

// TestUnknownCategoriesRefuseTheSource stages places of which some have a category that is in no list. An absent category
// and one that has no category of the API are no unknown ones.
func TestUnknownCategoriesRefuseTheSource(t *testing.T) {
	none, half := 0.0, 0.5
	known := [][]string{{"cafe"}, {"bank_or_credit_union"}, {"parking"}, {"coffee_shop", "bakery"}}
	for _, test := range []struct {
		name           string
		known, unknown int
		limit          *float64
		classes        []string // of the unknown places
		says           string   // "": accepted
	}{
		{"one in fifty", 49, 1, nil, []string{"moon_cafe"}, ""},
		{"more", 48, 1, nil, []string{"moon_cafe", "moon_bar"},
			"1 of 49, more than the 2 % allowed: 1× moon_bar, 1× moon_cafe (first: 48 Café <Été> & fils)"},
		{"a further category", 9, 1, nil, []string{"cafe", "moon_bar"}, "1 of 10, more than the 2 % allowed: 1× moon_bar (first: "},
		{"a limit of the source", 1000, 1, &none, []string{"moon_cafe"}, "1 of 1001, more than the 0 % allowed: 1× moon_cafe"},
		{"a higher one", 3, 3, &half, []string{"moon_cafe"}, ""},
		{"none", 3, 0, &none, nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			src := meta("s")
			src.MaxUnknown = test.limit
			summary, err := create(t).Stage(t.Context(), src, func(s source.Sink) error {
				for i := range test.known + test.unknown {
					p := cafe(fmt.Sprint(i))
					p.Scheme, p.Classes = "overture", known[i%len(known)]
					if i >= test.known {
						p.Classes = test.classes
					}
					if err := s.Row(p); err != nil {
						return err
					}
				}
				return nil
			})
			if errors.Is(err, source.ErrUnknownCategories) != (test.says != "") || err != nil && !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want %q", err, test.says)
			}
			if test.says == "" && (err != nil || summary.Staged != int64(test.known+test.unknown)) {
				t.Errorf("%d places staged: %v", summary.Staged, err)
			}
			counted := fmt.Sprintf("%d× category_not_listed: moon_", test.unknown)
			if issues := reasonsText(summary.Issues); test.unknown > 0 && !strings.Contains(issues, counted) {
				t.Errorf("the issues do not count the categories: %s", issues)
			}
		})
	}
}

// TestManyUnknownCategoriesAreCountedTogether bounds the issues of a source whose categories are texts of its own.
func TestManyUnknownCategoriesAreCountedTogether(t *testing.T) {
	summary, err := create(t).Stage(t.Context(), meta("s"), func(s source.Sink) error {
		for i := range 3 * maxDetails {
			p := cafe(fmt.Sprint(i))
			p.Scheme, p.Classes = "overture", []string{fmt.Sprintf("own_%04d", i)}
			if err := s.Row(p); err != nil {
				return err
			}
		}
		return nil
	})
	if !errors.Is(err, source.ErrUnknownCategories) || !strings.Contains(err.Error(), "× others, 1× own_0000, ") ||
		!strings.Contains(err.Error(), " more (first: ") {
		t.Errorf("error %v", err)
	}
	if len(summary.Issues) > maxDetails+10 {
		t.Errorf("%d issues", len(summary.Issues))
	}
}
