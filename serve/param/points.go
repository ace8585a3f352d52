package param

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/paulmach/orb"
)

// Points declares one to maxItems pairs of latitude and longitude in degrees, separated by semicolons: "45.5,-73.6;45.4,-75.7".
func Points[Q any](name string, maxItems int, at func(*Q) *Value[[]orb.Point]) *Param[Q] {
	return &Param[Q]{Spec: Spec{Name: name, Kind: Text, Pattern: `[^;]+,[^;]+(;[^;]+,[^;]+)*`},
		read: func(q *Q, text string) error {
			if n := strings.Count(text, ";") + 1; n > maxItems {
				return Bad(name, TooMany, "%s has %d points, at most %d are allowed", name, n, maxItems)
			}
			var points []orb.Point
			for item := range strings.SplitSeq(text, ";") {
				first, second, _ := strings.Cut(item, ",")
				lat, ok := decimal(strings.TrimSpace(first))
				lng, also := decimal(strings.TrimSpace(second))
				if !ok || !also {
					return Bad(name, Malformed, "%s has %s, which is not latitude,longitude in decimal degrees", name, Quote(item))
				}
				if !(math.Abs(lat) <= 90 && math.Abs(lng) <= 180) {
					return Bad(name, OutOfRange, "%s has %s: latitudes are from -90 to 90, longitudes from -180 to 180", name, Quote(item))
				}
				points = append(points, orb.Point{lng, lat})
			}
			*at(q) = Value[[]orb.Point]{points, true}
			return nil
		}}
}

// Clock declares a time of the day, such as 08:00, with a default; the value is in seconds after midnight.
func Clock[Q any](name, standard string, at func(*Q) *Value[int]) *Param[Q] {
	read := func(q *Q, text string) error {
		t, err := time.Parse("15:04", text)
		if err != nil || len(text) != len(standard) {
			return Bad(name, Malformed, "%s is %s, it must be a time of the day such as 08:00", name, Quote(text))
		}
		*at(q) = Value[int]{t.Hour()*3600 + t.Minute()*60, true}
		return nil
	}
	return &Param[Q]{Spec: Spec{Name: name, Kind: Text, Default: standard, MaxChars: len(standard)},
		read: read, init: initial(read, standard, at)}
}

// Ascending declares a list of at most maxItems whole numbers from 1 to max that ascend, with a default such as "15,30",
// which must not be changed.
func Ascending[Q any](name string, max, maxItems int, standard string, at func(*Q) *Value[[]int]) *Param[Q] {
	read := func(q *Q, text string) error {
		var numbers []int
		err := items(name, text, func(item string) error {
			n, err := strconv.Atoi(item)
			switch {
			case err != nil && !errors.Is(err, strconv.ErrRange) || strings.HasPrefix(item, "+"):
				return Bad(name, Malformed, "%s has %s, which is not a whole number", name, Quote(item))
			case err != nil || n < 1 || n > max:
				return Bad(name, OutOfRange, "%s has %s, its numbers must be from 1 to %d", name, Quote(item), max)
			case len(numbers) > 0 && n <= numbers[len(numbers)-1]:
				return Bad(name, NotAllowed, "%s has %d after %d, its numbers must ascend", name, n, numbers[len(numbers)-1])
			}
			if numbers = append(numbers, n); len(numbers) > maxItems {
				return Bad(name, TooMany, "%s has more than %d items", name, maxItems)
			}
			return nil
		})
		*at(q) = Value[[]int]{numbers, true}
		return err
	}
	return &Param[Q]{Spec: Spec{Name: name, Kind: List, Pattern: "[0-9]+", MaxItems: maxItems},
		read: read, init: initial(read, standard, at)}
}

// initial sets a default that is written as callers write it. A list is shared by all requests.
func initial[Q, T any](read func(*Q, string) error, standard string, at func(*Q) *Value[T]) func(*Q) {
	var q Q
	if err := read(&q, standard); err != nil {
		panic("param: " + err.Error())
	}
	value := at(&q).V
	return func(q *Q) { at(q).V = value }
}
