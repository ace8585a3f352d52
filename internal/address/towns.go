package address

// Town is a way to read the town of an address whose street is not known, with what is written beside it.
type Town struct {
	Key    string // in the form of Place; "": none is written
	Number bool   // a number is beside it
	Street bool   // and a street
	Words  bool   // and words that are neither
}

// Towns are the towns that an address can be in, in the order of Streets, each once.
func (a *Address) Towns() (towns []Town) {
	add := func(t Town) {
		for i := range towns {
			if o := &towns[i]; o.Key == t.Key {
				if !o.Street && t.Street { // a shorter one is a street: 10th Street 25
					*o = t
				}
				return
			}
		}
		towns = append(towns, t)
	}
	numbered, dropped := a.Number != (Number{}), len(a.Dropped) > 0
	_, _, corner := a.Corner()
	for r := range a.Streets {
		street := numbered || corner || r.Street.Type != 0 || r.Street.Before|r.Street.After != 0
		add(Town{r.Place, numbered && !r.Whole, street, dropped || r.Unread || a.Between() || !street})
	}
	switch {
	case len(towns) == 0:
		add(Town{a.Place(), numbered, false, dropped || a.Between() || len(a.street) > 0})
	case len(a.places) == 0:
		add(Town{placeOf(a.street), numbered, false, dropped})
		if numbered { // 100 Mile House
			add(Town{Place(a.Number.String() + " " + textOf(a.street)), false, false, dropped})
		}
	}
	return towns
}

// Between reports whether there are words between the street and the town: 12 Main St, CIBC Tower, Ottawa.
func (a *Address) Between() bool {
	for i := 1; i < len(a.places); i++ {
		if a.places[i].comma {
			return true
		}
	}
	return false
}
