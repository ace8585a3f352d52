package explained

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"quartier/internal/address"
	"quartier/internal/pack/addresses"
	"quartier/schemas"
	"quartier/schemas/addressing"
	product "quartier/serve/product/addresses"
	"quartier/serve/release"
)

// WrittenAddress is how a written address is read, and what is found of it.
type WrittenAddress struct {
	Address string                    `json:"address"`
	Parts   []string                  `json:"parts"`   // but for street and town: "number 12"
	Streets []string                  `json:"streets"` // every way to read street and town, the longest street first
	Matches []addressing.AddressMatch `json:"matches"` // none, one, or two that are equally good
}

// ReadAddress reads an address, and finds it in the release of a folder.
func ReadAddress(dir, text, language string) (e WrittenAddress, err error) {
	from, err := release.Open(dir)
	if err != nil {
		return e, err
	}
	defer from.Done()
	if from.Addresses == nil {
		return e, errors.New("the release has no addresses: a region needs a source of the kind " + schemas.AddressesKind)
	}
	a := address.Read(text)
	e = WrittenAddress{text, []string{}, []string{}, []addressing.AddressMatch{}}
	for _, part := range [][2]string{{"number", a.Number.String()}, {"unit", a.Unit}, {"region", a.Region.Code}, {"country", a.Region.Country},
		{"postal code", a.Postal}, {"left out", strings.Join(a.Dropped, ", ")}} {
		if part[1] != "" {
			e.Parts = append(e.Parts, part[0]+" "+part[1])
		}
	}
	for r := range a.Streets {
		street := fmt.Sprintf("%q, compared as %s", r.Text, r.Street.Name)
		if r.Place != "" {
			street += ", in " + r.Place
		}
		e.Streets = append(e.Streets, street)
	}
	var found addresses.Found
	from.Addresses.Find(&addresses.Query{Address: a, Level: addresses.Place}, &found)
	for i := range found.Matches {
		e.Matches = append(e.Matches, product.MatchOf(&found.Matches[i], language))
	}
	return e, nil
}

// Print prints it.
func (e *WrittenAddress) Print(w io.Writer) {
	fmt.Fprintln(w, e.Address)
	if len(e.Parts) > 0 {
		Text(w, "", "read as", strings.Join(e.Parts, "; "))
	}
	for _, street := range e.Streets {
		Text(w, "", "street", street)
	}
	for _, m := range e.Matches {
		fmt.Fprintf(w, "%s: %s\n", m.Label, m.Address)
		Text(w, "", "score", fmt.Sprintf("%v; changed: %s", m.MatchScore, cmp.Or(strings.Join(m.Changed, ", "), "nothing")))
		Text(w, "", "place", fmt.Sprintf("%.6f, %.6f, within %v m", m.Lat, m.Lng, m.UncertaintyM))
		if m.Source != "" {
			Text(w, "", "source", m.Source)
		}
	}
	switch len(e.Matches) {
	case 0:
		fmt.Fprintln(w, "Nothing is found.")
	case 2:
		fmt.Fprintln(w, "Both are equally good, so that neither is chosen.")
	}
}
