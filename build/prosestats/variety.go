package prosestats

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"quartier/build/texts"
	"quartier/schemas"
)

// places are the current geographies with the pairs of a level that touch, as indexes.
type places struct {
	ids   []string
	pairs [][2]int32
}

// Variety is how much the texts of geographies that touch have in common, names and numbers masked.
type Variety struct {
	Pairs    int // of geographies of a level that touch and have texts
	Sentence int // different sentences
	Touching Shares
	Shuffled Shares     // the same pairs with the texts of a level shuffled over its places
	Frequent []Frequent // sentences, the most frequent first
}

// Shares sums up the shares of pairs.
type Shares struct {
	Median, P95, Most float64
	Tenths            [10]int // pairs with a share under 0.1, 0.2 …; the last one has all others
	OverHalf          int     // pairs with a share over 0.5
}

// Frequent is a sentence with the number of its geographies.
type Frequent struct {
	Sentence string
	Places   int
}

// mostFrequent is the number of frequent sentences that are listed.
const mostFrequent = 5

// variety compares the texts of neighbours.
func (n *places) variety(with map[string][]string) Variety {
	var v Variety
	var pairs [][2]int32
	for _, p := range n.pairs {
		if with[n.ids[p[0]]] != nil && with[n.ids[p[1]]] != nil {
			pairs = append(pairs, p)
		}
	}
	own := make([]int32, len(n.ids))
	for i := range own {
		own[i] = int32(i)
	}
	v.Pairs = len(pairs)
	v.Touching = n.shares(pairs, own, with)
	v.Shuffled = n.shares(pairs, n.shuffled(with), with)
	places := map[string]int{}
	for _, id := range n.ids {
		for _, s := range slices.Compact(slices.Clone(with[id])) {
			places[s]++
		}
	}
	v.Sentence = len(places)
	for s, count := range places {
		v.Frequent = append(v.Frequent, Frequent{s, count})
	}
	slices.SortFunc(v.Frequent, func(a, b Frequent) int {
		return cmp.Or(cmp.Compare(b.Places, a.Places), cmp.Compare(a.Sentence, b.Sentence))
	})
	v.Frequent = v.Frequent[:min(mostFrequent, len(v.Frequent))]
	return v
}

// shuffled gives each place with a text that of another one of its level.
func (n *places) shuffled(with map[string][]string) []int32 {
	byLevel := map[schemas.Level][]int32{}
	of := make([]int32, len(n.ids))
	for i, id := range n.ids {
		of[i] = int32(i)
		if level, _ := schemas.LevelOfGeogID(id); with[id] != nil {
			byLevel[level] = append(byLevel[level], int32(i))
		}
	}
	random := rand.New(rand.NewPCG(1, 1))
	for _, level := range schemas.Levels {
		places := byLevel[level]
		drawn := slices.Clone(places)
		random.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
		for k, i := range places {
			of[i] = drawn[k]
		}
	}
	return of
}

// shares compares the texts of pairs, of being the place whose text each place has.
func (n *places) shares(pairs [][2]int32, of []int32, with map[string][]string) (s Shares) {
	var all []float64
	for _, p := range pairs {
		share := texts.Shared(with[n.ids[of[p[0]]]], with[n.ids[of[p[1]]]])
		all = append(all, share)
		s.Tenths[min(int(share*10), 9)]++
		if share > 0.5 {
			s.OverHalf++
		}
	}
	if len(all) == 0 {
		return s
	}
	slices.Sort(all)
	s.Median, s.P95, s.Most = all[len(all)/2], all[len(all)*95/100], all[len(all)-1]
	return s
}
