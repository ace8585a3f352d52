package french

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"quartier/internal/prose/lexicon"
	"quartier/internal/prose/phrase"
	"quartier/schemas"
)

// placeName is the name of a place with what a sentence needs to know of it.
type placeName struct {
	name     string       // without its article
	article  phrase.Token // "": none
	own      bool         // the article is part of the name, and keeps its capital: Les Coteaux
	noun     string       // key of the noun of its type
	apposed  bool         // it stands beside the noun: le quartier Overbrook - McArthur
	locative string       // preposition for "in", before the name without article: en Ontario, au Québec; "": dans, with the article
	elide    bool         // known to begin with a vowel sound
	listed   bool         // in the lexicon
	plural   bool
}

// typeNoun is the key of the noun for the place: that of its own type, or of its level.
func typeNoun(about *phrase.Subject) string {
	if about.Custom() && lexicon.Has(about.Place.Type) {
		return about.Place.Type
	}
	return levelNoun(about)
}

// levelNoun is the key of the noun for a place of the level.
func levelNoun(about *phrase.Subject) string {
	switch about.Place.Level {
	case 10:
		return "neighbourhood"
	case 20:
		if about.Place.State == "QC" {
			return "borough"
		}
		return "district"
	case 30:
		return "municipality"
	case 32:
		return "postal_area"
	case 35:
		return "county_subdivision"
	case 37:
		return "census_division"
	}
	return "region"
}

// placeOf is the name of the place that a text is about.
func placeOf(about *phrase.Subject) placeName {
	name, key := either(about.Name), typeNoun(about)
	switch own := lexicon.NounOf(key); {
	case about.Custom() && beginsWith(name, own.FR): // dans la Ville de Hawkesbury
		return placeName{name: name, article: definite(own.Feminine, false), noun: key, elide: VowelSound(name)}
	case about.Place.Level == 30:
		return municipality(about.Name, key, about.Place.State)
	case about.Place.Level >= 37:
		return area(about.Name, key, about.Place.State)
	}
	p := placeName{name: name, noun: key, apposed: true}
	if entry, ok := FrenchName(name); ok && about.Place.Level <= 20 {
		return known(entry, key)
	}
	if article, rest, ok := ownArticle(name); ok && isFrench(about.Name, about.Place.State) {
		return placeName{name: rest, article: article, own: true, noun: key, elide: article.Text == "L’", plural: article.Text == "Les"}
	}
	for _, own := range []string{key, "neighbourhood", "district", "borough", "region"} {
		if n := lexicon.NounOf(own); beginsWith(name, n.FR) { // Quartier chinois
			return placeName{name: name, article: definite(n.Feminine, false), noun: key, elide: VowelSound(name)}
		}
	}
	return p
}

func beginsWith(name, noun string) bool {
	return strings.HasPrefix(strings.ToLower(name)+" ", noun+" ")
}

// known is a name of the lexicon.
func known(entry FrenchEntry, key string) placeName {
	p := placeName{name: entry.Name, noun: key, listed: true, locative: entry.Locative, plural: entry.Plural}
	if article, rest, ok := ownArticle(entry.Name); ok && entry.Article != "" {
		p.article, p.name, p.own = article, rest, true
	} else if entry.Article != "" {
		p.article = phrase.Token{Text: entry.Article, Class: phrase.Article}
	}
	p.elide = VowelSound(p.name) && !entry.HAspire
	if strings.HasPrefix(p.locative, "dans") {
		p.locative = ""
	}
	return p
}

// isFrench reports whether a name is French: it is known to be, or it is that of a place in Quebec.
func isFrench(names phrase.Name, state string) bool { return names.FR != "" || state == "QC" }

// inferred are the articles of names of counties and regions by how the names begin.
var inferred = []struct{ start, article string }{
	{"Haut-", "le"}, {"Bas-", "le"}, {"Vieux-", "le"}, {"Grand-", "le"}, {"Nouveau-", "le"}, {"Centre-", "le"},
	{"Haute-", "la"}, {"Basse-", "la"}, {"Vieille-", "la"}, {"Grande-", "la"}, {"Nouvelle-", "la"}, {"Vallée-", "la"}, {"Rivière-", "la"},
	{"Hauts-", "les"}, {"Hautes-", "les"}, {"Îles-", "les"}, {"Collines-", "les"},
}

// area is the name of a county or region: le Haut-Richelieu, les Laurentides, l’Érable; one that is not French, or takes no
// article that is known, stands beside the noun of its type.
func area(names phrase.Name, key, state string) placeName {
	name := either(names)
	if entry, ok := FrenchName(name); ok && entry.Locative != "à" { // that of a municipality
		return known(entry, key)
	}
	p := placeName{name: name, noun: key, apposed: true}
	if !isFrench(names, state) {
		return p
	}
	article, rest, ok := ownArticle(name)
	for _, n := range inferred {
		if !ok && strings.HasPrefix(name, n.start) {
			article, ok = phrase.Token{Text: n.article, Class: phrase.Article}, true
		}
	}
	if feminine, generic := map[string]bool{"région": true, "comté": false}[first(name)]; generic {
		article, ok = definite(feminine, false), true
	}
	if !ok {
		return p
	}
	article.Text = strings.ToLower(article.Text) // it is no part of the name in a sentence: dans le Haut-Richelieu
	return placeName{name: rest, article: article, noun: key, elide: article.Text == "l’", plural: article.Text == "les"}
}

// first is the first word of a name, in lower case.
func first(name string) string {
	word, _, _ := strings.Cut(strings.ToLower(name), " ")
	return word
}

// municipality is a name that takes à: à Ottawa, à L’Anse, au Bic, aux Coteaux.
func municipality(names phrase.Name, key, state string) placeName {
	name := either(names)
	if entry, ok := FrenchName(name); ok {
		p := known(entry, key)
		if p.locative == "" {
			p.locative = "à"
		}
		return p
	}
	if article, rest, ok := ownArticle(name); ok && isFrench(names, state) {
		return placeName{name: rest, article: article, own: true, noun: key, locative: "à", elide: article.Text == "L’",
			plural: article.Text == "Les"}
	}
	return placeName{name: name, noun: key, locative: "à"}
}

// state is the name of a province or territory.
func state(code string) placeName {
	name, _ := schemas.StateName("CA", code)
	if entry, ok := FrenchState("CA", name.FR); ok {
		return known(entry, "region")
	}
	return placeName{name: name.FR, locative: "à"}
}

// ownArticle divides a name that begins with an article.
func ownArticle(name string) (article phrase.Token, rest string, ok bool) {
	for _, a := range []string{"Le ", "La ", "Les ", "L’"} {
		if rest, ok = strings.CutPrefix(name, a); ok && rest != "" {
			return phrase.Token{Text: strings.TrimSpace(a), Class: phrase.Article}, rest, true
		}
	}
	return article, name, false
}

// place is the place as a subject: its name, and its type once the section has named it; with the forms of with.
func (f *French) place(about *phrase.Subject, form string) []phrase.Token {
	p := placeOf(about)
	again := form != "name" && (about.Named || utf8.RuneCountInString(p.name) > 45)
	about.Plural = p.name != "" && !again && !p.apposed && p.plural
	var tokens []phrase.Token
	switch {
	case p.name == "":
		tokens = noun(p.noun, "this", false)
	case again:
		tokens = noun(p.noun, "the", false)
	default:
		about.Named = true
		return p.with(form)
	}
	switch form {
	case "in":
		return append(words("dans"), tokens...)
	case "of":
		return append(words("de"), tokens...)
	}
	return tokens
}

// with is the name as a subject; with the form "in" after the preposition of a place, "of" after de.
func (p placeName) with(form string) []phrase.Token {
	switch form {
	case "in":
		switch {
		case p.locative == "":
			return append(words("dans"), p.bare()...)
		case p.locative == "à" && p.own:
			return append(words("à"), p.bare()...) // contracts: au Bic, aux Coteaux
		}
		return append(words(p.locative), p.proper(p.name))
	case "of":
		if !p.apposed && p.article.Text == "" && !p.elide && !p.listed && p.noun != "" && p.locative == "à" && mayElide(p.name) {
			p.apposed = true
		}
		return append(words("de"), p.bare()...)
	}
	return p.bare()
}

// bare is the name with its article, or beside the noun of its type.
func (p placeName) bare() []phrase.Token {
	switch {
	case p.apposed:
		return append(noun(p.noun, "the", false), p.proper(p.name))
	case p.article.Text == "":
		return []phrase.Token{p.proper(p.name)}
	}
	return []phrase.Token{p.article, p.proper(p.name)}
}

func (p placeName) proper(name string) phrase.Token {
	return phrase.Token{Text: name, Class: phrase.Proper, Elide: p.elide}
}

// mayElide reports whether a name of which nothing is known may begin with a vowel sound.
func mayElide(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	r = unicode.ToLower(r)
	return r == 'h' || isVowel(r)
}

// generic are first words of names that are nouns of ours: parc, rue. true: feminine.
var generic = map[string]bool{
	"aéroport": false, "allée": true, "anse": true, "arboretum": false, "aréna": false, "autoroute": true, "avenue": true,
	"baie": true, "bassin": false, "belvédère": false, "bois": false, "boisé": false, "boulevard": false, "canal": false,
	"carré": false, "cathédrale": true, "centre": false, "cercle": false, "chemin": false, "côte": true, "couloir": false,
	"cour": true, "cours": false, "croissant": false, "début": false, "école": true, "espace": false, "esplanade": true,
	"étang": false, "ferme": true, "fleuve": false, "forêt": true, "gare": true, "île": true, "impasse": true, "jardin": false,
	"lac": false, "maison": true, "marais": false, "mini-parc": false, "montée": true, "musée": false, "parc": false,
	"parc-école": false, "parc-nature": false, "passage": false, "patinoire": true, "pavillon": false, "piste": true,
	"place": true, "placette": true, "plage": true, "plaine": true, "pointe": true, "pont": false, "port": false,
	"promenade": true, "quai": false, "rang": false, "réseau": false, "réserve": true, "rivière": true, "route": true,
	"rue": true, "ruelle": true, "ruisseau": false, "sentier": false, "site": false, "square": false, "station": true,
	"terrain": false, "terrasse": true, "traverse": true, "voie": true, "zone": true,
}

// foreign are words of names that are English, whatever they begin with: Port Hollis Municipal Airport.
var foreign = regexp.MustCompile(
	`(?i)\b(airport|avenue|bay|beach|bridge|center|creek|crescent|drive|field|gardens?|harbou?r|heights|highway|hill|house|lake|lane|` +
		`municipal|north|south|east|west|river|road|school|state|street|town|trail|turnpike|university|valley|village|way|woods?)$|\b(airport|` +
		`municipal|street|road)\b`)

// named is a name with the article of the noun that it begins with, if it is French: le parc Lansdowne, l’avenue Laurier; or as
// it is. The names of stations stand as they are, but for gare and station.
func named(s phrase.Slot, about *phrase.Subject) []phrase.Token {
	name := either(s.Name)
	word, rest, _ := strings.Cut(name, " ")
	lower := strings.ToLower(word)
	feminine, ok := generic[lower]
	french := s.Name.FR != "" || linked.MatchString(rest) || about.Place.State == "QC" && !foreign.MatchString(name)
	if !ok || rest == "" || !french || s.Noun != "" && lower != "gare" && lower != "station" {
		vowel := VowelSound(name) && (french || !strings.HasPrefix(lower, "h")) // an English h is spoken
		return []phrase.Token{{Text: name, Class: phrase.Proper, Elide: vowel}}
	}
	return []phrase.Token{definite(feminine, false), {Text: lower + " " + rest, Class: phrase.Proper, Elide: VowelSound(lower)}}
}

// linked matches what follows the noun of a French name.
var linked = regexp.MustCompile(`^(de|du|des|de la|aux?|à) |^(d|l)’`)
