// Package phrase declares what the layers of package prose pass on: messages (what to say), patterns (how to say it) and
// tokens (the words). It knows no language.
package phrase

// Kind is what a slot of a pattern is filled with.
type Kind uint8

// The kinds of slots, with the members of Slot that each uses.
const (
	PlaceName Kind = iota // the geography that the text is about
	CityName              // its municipality
	StateName             // its state or province
	TypeNoun              // what it is called, a noun: that of its type, or of its level
	LevelNoun             // what places of its level are called, a noun
	Thing                 // Noun: a noun
	Count                 // N, Noun: so many of a noun
	Number                // N: a whole number
	Rounded               // N: a whole number, rounded to two digits from 100 on and called approximate
	Walk                  // N: metres on foot
	Length                // N: metres
	Ground                // N: square metres
	Hectares              // N: hectares
	Share                 // Word, N: a share of the homes
	Period                // N, M: first and last year; 0: open
	Named                 // Noun, Name: a thing of a kind and its name
	Sign                  // Name: a number or name as it is signed
	List                  // Items; Word "or": joined by or
	Trip                  // N, Noun: metres on foot to a noun
	AreaName              // Noun, Name: a county or region
	Term                  // Word: key of the words of bands
)

// Slot is what fills a place of a pattern.
type Slot struct {
	Kind  Kind
	Noun  string // key of the lexicon of nouns
	Word  string // key of the words of shares
	N, M  float64
	Name  Name
	Items []Slot
}

// Name is a name in both languages, as a source has it and cleaned; FR is "" where it is not known.
type Name struct{ EN, FR string }

// Message is what one clause says.
type Message struct {
	Kind  string          // of the patterns that can say it
	Slots map[string]Slot // by their names in the patterns; the place, its city, state and type need none
	Facts []int           // indices of the facts that it states
	Theme string          // messages of one theme may share a sentence; "": none does
	Sign  int             // 1: more than is typical, or easy; −1: less, or hard; 0: neither
}

// Class is what a token is.
type Class uint8

// The classes of tokens.
const (
	Word    Class = iota
	Article       // an article that a preposition may contract with and a vowel elides
	Proper        // a name of a source
	Figure        // a number
	Mark          // a punctuation mark
)

// Token is a word, name, number or mark of a sentence, before what stands next to it changes it.
type Token struct {
	Text  string
	Class Class
	Elide bool // of a name: known to begin with a vowel sound, so that le, de and que elide before it
}

// Words are the tokens of several words.
func Words(words ...string) []Token {
	tokens := make([]Token, len(words))
	for i, w := range words {
		tokens[i] = Token{Text: w}
	}
	return tokens
}

// UsualBytes and UsualTokens are sizes that most sentences stay below, to reserve memory.
const (
	UsualBytes  = 192
	UsualTokens = 32
)
