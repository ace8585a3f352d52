package address

import (
	"slices"
	"strings"
)

// boxWords are the words before the number of a box or a route.
var boxWords = [][]string{{"po", "box"}, {"p", "o", "box"}, {"pobox"}, {"pob"}, {"post", "office", "box"}, {"box"}, {"boite", "postale"},
	{"case", "postale"}, {"cp"}, {"bp"}, {"c", "p"}, {"rr"}, {"r", "r"}, {"rural", "route"}, {"route", "rurale"}, {"hc"}, {"mailbag"},
	{"bag"}, {"lcd"}, {"buzzer"}}

// besideBox are words that are before a number likewise where a box is written as well.
var besideBox = [][]string{{"site"}, {"comp"}, {"station"}, {"stn"}, {"succ"}, {"succursale"}, {"gd"}, {"psc"}}

// boxes are boxes without a number.
var boxes = [][]string{{"general", "delivery"}, {"poste", "restante"}, {"returned", "mail"}, {"postal", "station"}}

// takeBoxes takes boxes, rural routes and general delivery.
func (r *reader) takeBoxes() {
	for i := 0; i < len(r.words); i++ {
		n := r.boxAt(i)
		if n == 0 {
			continue
		}
		r.box = true
		r.remove(i, n)
		i--
	}
}

// boxAt is the number of words of the box that begins at a word; 0: none.
func (r *reader) boxAt(i int) int {
	for _, words := range boxes {
		if r.at(i, words) {
			return len(words)
		}
	}
	list := boxWords
	if r.box {
		list = slices.Concat(boxWords, besideBox)
	}
	for _, words := range list {
		n := i + len(words)
		if !r.at(i, words) || n >= len(r.words) {
			continue
		}
		id := r.words[n].text
		switch first := words[0]; {
		case first == "hc" || first == "gd" || first == "comp" || first == "cp" || first == "bp" || first == "psc":
			if !digits(id) || r.words[n].comma {
				continue
			}
		case !hasDigit(id) && len(id) > 1, r.words[n].comma && !r.words[n].hash:
			continue
		}
		return len(words) + 1
	}
	if t := r.words[i].text; strings.HasPrefix(t, "rr") && digits(t[2:]) {
		return 1
	}
	return 0
}
