// Package addresses measures how addresses are found: generated ones, as people type them and with a typing error, suggestions,
// and the address nearest to a point, against limits and against trigrams and nearest neighbours in PostgreSQL with PostGIS. In: a
// number of addresses. Out: results and their figures.
package addresses

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"quartier/bench/typed"
	"quartier/internal/address"
	"quartier/internal/coord"
	packed "quartier/internal/pack/addresses"
)

// Generated addresses are in towns of 320 streets of 25 numbers. The more common a name, the more towns have a street of it.
const (
	streetsOfTown   = 320
	numbersOfStreet = 25
	names           = 120_000
)

var (
	regions = []address.Region{{Country: "US", Code: "OH"}, {Country: "US", Code: "CA"}, {Country: "US", Code: "TX"},
		{Country: "US", Code: "NY"}, {Country: "US", Code: "WA"}, {Country: "US", Code: "GA"},
		{Country: "CA", Code: "ON"}, {Country: "CA", Code: "QC"}}
	types   = strings.Fields("St St St Ave Ave Rd Rd Dr Dr Ln Ct Ct Blvd Pl Way Cir Ter Pkwy")
	french  = strings.Fields("rue rue rue avenue chemin boulevard place montée")
	common  = strings.Fields("Main 2nd 3rd 1st Oak 4th Park 5th Maple Cedar Elm Washington 6th Pine Lake Hill 7th Church Spring")
	begins  = strings.Fields("Oak Wash Jack Lin Mad Frank Cedar Hill River Lake West Spring Ash Birch Fair Glen High Law Sun Val Wal")
	middles = strings.Fields("a e i o ing er en or el am ar ber den der fer ger ham ker lan mer ner per ral ser ver wen bur don gar hol")
	ends    = strings.Fields("ton ville field wood ford ley dale view ridge side land son man burg worth brook mont well stone gate way")
)

// nameOf is the kth name, the most common first.
func nameOf(k int) string {
	if k < len(common) {
		return common[k]
	}
	take := func(list []string) string {
		word := list[k%len(list)]
		k /= len(list)
		return word
	}
	name := take(begins) + take(middles) + take(ends)
	if k > 0 {
		name += " " + take(begins)
	}
	return name
}

// each calls visit with n addresses, always the same.
func each(n int, visit func(*packed.Record)) {
	for street := 0; street*numbersOfStreet < n; street++ {
		r := rand.New(rand.NewPCG(uint64(street), 38))
		town := street / streetsOfTown
		a := packed.Record{Place: nameOf(5000+town) + "town", Region: regions[town%len(regions)], Source: "made"}
		name := nameOf(int(math.Pow(names, r.Float64())) - 1)
		if a.Street = name + " " + types[r.IntN(len(types))]; a.Region.Code == "QC" {
			a.Street = french[r.IntN(len(french))] + " " + name
		} else if r.IntN(6) == 0 {
			a.Street = "NSEW"[r.IntN(4):][:1] + " " + a.Street
		}
		if a.Postal = strconv.Itoa(10000 + town*3%89000 + street%3); a.Region.Country == "CA" {
			a.Postal = fmt.Sprintf("%c%d%c%d%c%d", "KGHLMN"[town%6], town/6%10, 'A'+rune(town/60%20), street%10, 'A'+rune(street/10%20), town/1200)
		}
		corner := coord.Point{Lng: -1_200_000_000 + int32(town%100*4_000_000+street%18*20_000),
			Lat: 300_000_000 + int32(town/100*4_000_000+street%streetsOfTown/18*15_000)}
		first, step := 1+r.IntN(90)*100, 1+r.IntN(6)
		for i := range min(numbersOfStreet, n-street*numbersOfStreet) {
			a.Number, a.Unit, a.Accuracy = strconv.Itoa(first+i*step), "", packed.Accuracy(r.IntN(3))
			if r.IntN(10) == 0 {
				a.Unit = strconv.Itoa(1 + r.IntN(40))
			}
			a.Point = coord.Point{Lng: corner.Lng + int32(i*700), Lat: corner.Lat + int32(i%2*400+r.IntN(100))}
			visit(&a)
		}
	}
}

// line is an address as people type it.
func line(a *packed.Record) string {
	return a.Number + " " + a.Street + ", " + a.Place + " " + a.Region.Code + " " + a.Postal
}

// misspelt is an address with the kth typing error in the longest word of its street.
func misspelt(a packed.Record, k int) string {
	words := strings.Fields(a.Street)
	long := 0
	for i, w := range words {
		if len(w) > len(words[long]) {
			long = i
		}
	}
	if len(words[long]) > 4 {
		words[long] = typed.Misspell(words[long], k)
	}
	a.Street = strings.Join(words, " ")
	return line(&a)
}
