// Package overture finds the files of a release of Overture Maps in its STAC catalogue
// (https://docs.overturemaps.org/getting-data/stac/). It does not open the network.
package overture

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Scheme is that of the addresses of queries.
const Scheme = "overture"

// Latest is the name of the newest release in an address.
const Latest = "latest"

// Box is west, south, east and north in degrees of WGS 84.
type Box [4]float64

// Meets reports whether two boxes have a point in common.
func (b Box) Meets(other Box) bool {
	return b[0] <= other[2] && other[0] <= b[2] && b[1] <= other[3] && other[1] <= b[3]
}

// Query is what is asked for: the rows of a type that meet a box.
type Query struct {
	Release string // such as 2026-08-19.0, or Latest
	Theme   string // such as places
	Type    string // such as place
	Box     Box
}

// Is reports whether an address is that of a query.
func Is(address string) bool { return strings.HasPrefix(address, Scheme+"://") }

const form = "overture://RELEASE/THEME/TYPE/WEST,SOUTH,EAST,NORTH.parquet"

var (
	releaseName = regexp.MustCompile(`^(latest|\d{4}-\d{2}-\d{2}\.\d{1,3})$`)
	partName    = regexp.MustCompile(`^[a-z][a-z0-9_]{0,62}$`)
)

// Parse reads an address such as overture://2026-08-19.0/places/place/-122.9,45.4,-122.2,45.7.parquet. The box is the name of
// a file, so that what is fetched can be called as the end of the address.
func Parse(address string) (Query, error) {
	bad := func(format string, args ...any) (Query, error) {
		return Query{}, fmt.Errorf("%s: "+format+"; the form is %s", append(append([]any{address}, args...), form)...)
	}
	u, err := url.Parse(address)
	if err != nil {
		return Query{}, fmt.Errorf("the address of Overture: %w; the form is %s", err, form)
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	if u.Scheme != Scheme || len(parts) != 3 || u.RawQuery != "" || u.Fragment != "" {
		return bad("it is not a release, a theme, a type and a box")
	}
	q := Query{Release: u.Host, Theme: parts[0], Type: parts[1]}
	if !releaseName.MatchString(q.Release) {
		return bad("%q is neither a release like 2026-08-19.0 nor %s", q.Release, Latest)
	}
	if !partName.MatchString(q.Theme) || !partName.MatchString(q.Type) {
		return bad("%q and %q are not a theme and a type", q.Theme, q.Type)
	}
	box, ok := strings.CutSuffix(parts[2], ".parquet")
	sides := strings.Split(box, ",")
	if !ok || len(sides) != 4 {
		return bad("%q is not a box", parts[2])
	}
	for i, side := range sides {
		if q.Box[i], err = strconv.ParseFloat(side, 64); err != nil || !(q.Box[i] >= -180 && q.Box[i] <= 180) {
			return bad("%q is not a number of degrees", side)
		}
	}
	if b := q.Box; b[0] >= b[2] || b[1] >= b[3] || b[1] < -90 || b[3] > 90 {
		return bad("the box is not west < east and south < north; one across the antimeridian is two boxes")
	}
	return q, nil
}
