package prosestats

import (
	"cmp"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"quartier/internal/pack"
	"quartier/internal/pack/geographies"
	"quartier/schemas"
)

// neighbours are the pairs of current geographies of a level that touch.
type neighbours struct {
	ids   []string
	pairs [][2]int32 // indexes of ids
}

// touchUnits is the side of the cells, in 1e-7 degrees, by which vertices meet: outlines touch that have vertices within
// about five metres of each other.
const touchUnits = 1000

// readNeighbours finds the geographies of levels 10 to 38 that touch another one of their level.
func readNeighbours(dir string) (*neighbours, error) {
	file, err := pack.Open(filepath.Join(dir, schemas.GeographiesPack))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	table, err := geographies.Open(file)
	if err != nil {
		return nil, err
	}
	n := &neighbours{}
	byLevel := map[schemas.Level][]vertex{}
	for i := range table.Len() {
		if _, superseded := table.Superseded(i); superseded || table.Level(i) > schemas.Region {
			continue
		}
		n.ids = append(n.ids, table.ID(i))
		byLevel[table.Level(i)] = appendVertices(byLevel[table.Level(i)], table, i, int32(len(n.ids)-1))
	}
	for _, level := range schemas.Levels {
		n.pairs = append(n.pairs, meet(byLevel[level])...)
	}
	return n, nil
}

// vertex is a cell that a vertex of a geography is in or near.
type vertex struct {
	x, y  int32
	place int32
}

// appendVertices adds the four cells around each vertex: two vertices within half a cell of each other have one in common.
func appendVertices(list []vertex, table *geographies.Table, i int, place int32) []vertex {
	const half = touchUnits / 2
	first := len(list)
	for _, p := range table.Area(i).Points {
		for _, dx := range []int32{-half, half} {
			for _, dy := range []int32{-half, half} {
				list = append(list, vertex{(p.Lng + dx) / touchUnits, (p.Lat + dy) / touchUnits, place})
			}
		}
	}
	sortVertices(list[first:])
	return list[:first+len(slices.Compact(list[first:]))]
}

func sortVertices(list []vertex) {
	slices.SortFunc(list, func(a, b vertex) int {
		return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y), cmp.Compare(a.place, b.place))
	})
}

// meet returns the pairs of places that have a cell in common, sorted.
func meet(list []vertex) (pairs [][2]int32) {
	sortVertices(list)
	seen := map[[2]int32]bool{}
	for begin := 0; begin < len(list); {
		end := begin + 1
		for end < len(list) && list[end].x == list[begin].x && list[end].y == list[begin].y {
			end++
		}
		for a := begin; a < end; a++ {
			for b := a + 1; b < end; b++ {
				pair := [2]int32{list[a].place, list[b].place}
				if pair[0] != pair[1] && !seen[pair] {
					seen[pair] = true
					pairs = append(pairs, pair)
				}
			}
		}
		begin = end
	}
	slices.SortFunc(pairs, func(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return pairs
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
func (n *neighbours) variety(texts map[string][]string) Variety {
	var v Variety
	var pairs [][2]int32
	for _, p := range n.pairs {
		if texts[n.ids[p[0]]] != nil && texts[n.ids[p[1]]] != nil {
			pairs = append(pairs, p)
		}
	}
	own := make([]int32, len(n.ids))
	for i := range own {
		own[i] = int32(i)
	}
	v.Pairs = len(pairs)
	v.Touching = n.shares(pairs, own, texts)
	v.Shuffled = n.shares(pairs, n.shuffled(texts), texts)
	places := map[string]int{}
	for _, id := range n.ids {
		for _, s := range slices.Compact(slices.Clone(texts[id])) {
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
func (n *neighbours) shuffled(texts map[string][]string) []int32 {
	byLevel := map[schemas.Level][]int32{}
	of := make([]int32, len(n.ids))
	for i, id := range n.ids {
		of[i] = int32(i)
		if level, _ := schemas.LevelOfGeogID(id); texts[id] != nil {
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
func (n *neighbours) shares(pairs [][2]int32, of []int32, texts map[string][]string) (s Shares) {
	var all []float64
	for _, p := range pairs {
		share := Shared(texts[n.ids[of[p[0]]]], texts[n.ids[of[p[1]]]])
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

// Shared is the share of the sentences of two texts, sorted, that the other one has too: 2 · common / (a + b). Example: of
// {x, y, z} and {x} it is 2 · 1 / 4.
func Shared(a, b []string) float64 {
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch c := cmp.Compare(a[i], b[j]); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			common, i, j = common+1, i+1, j+1
		}
	}
	return 2 * float64(common) / float64(max(len(a)+len(b), 1))
}
