package explain

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"

	"quartier/internal/rating"
	"quartier/schemas/tsv"
)

// French is the report in French: formulas, parts, reasons and remarks. Names of places, keys of sources, constants and the notes
// of the manifest stay as they are. It returns the texts that have no French, which stay in English.
func (r *Report) French() (without []string) {
	f := &translation{table: frenchTable(), missing: map[string]bool{}}
	f.text(&r.Street.Remark)
	for i := range r.Values {
		f.explanation(&r.Values[i])
	}
	return f.without
}

// A table has the French of what explanations are made of.
type table struct {
	symbols map[string]string // of formulas
	classes map[string]string // of places, streets and modes, kinds of errand
	labels  map[string]string // of measures that scores are made of, by their ids
	texts   []phrase
}

// A phrase is a text with values in it. In the table they are numbered, with a letter for what they are: %1n a number, %2c a class,
// %3l a list of classes, %4s a text that stays as it is, %5t a text that has French itself, %6p points of a curve; symbols of
// formulas, {share}, stand for themselves or for their numbers.
type phrase struct {
	english *regexp.Regexp
	values  []string // as the table writes them, in the order of the groups of english
	french  string
}

//go:embed french.tsv
var frenchRows string

var (
	valueOf      = regexp.MustCompile(`%\d[nclstp]|\{[^}]+\}`)
	decimalPoint = regexp.MustCompile(`(\d)\.(\d)`)
	symbolOf     = regexp.MustCompile(`\{[^}]+\}|\pL[\pL_]*`)
)

const numberForm = `-?[0-9][0-9.]*(?:e[-+]?[0-9]+)?|∞|\(no data\)`

var frenchTable = sync.OnceValue(func() *table {
	t := &table{symbols: map[string]string{}, classes: map[string]string{}, labels: map[string]string{}}
	for _, row := range tsv.MustParse("french.tsv", frenchRows) {
		switch row[0] {
		case "symbol":
			t.symbols[row[1]] = row[2]
		case "class":
			t.classes[row[1]] = row[2]
		case "measure":
			t.labels[row[1]] = row[2]
		case "text":
			t.texts = append(t.texts, newPhrase(row[1], row[2]))
		}
	}
	return t
})

func newPhrase(english, french string) phrase {
	p := phrase{french: french, values: valueOf.FindAllString(english, -1)}
	pattern, rest := "^", english
	for _, value := range p.values {
		before, after, _ := strings.Cut(rest, value)
		pattern, rest = pattern+regexp.QuoteMeta(before), after
		switch {
		case value[0] == '{':
			pattern += "(" + regexp.QuoteMeta(value) + "|" + numberForm + ")"
		case value[2] == 'n':
			pattern += "(" + numberForm + ")"
		default:
			pattern += "(.+?)"
		}
	}
	p.english = regexp.MustCompile(pattern + regexp.QuoteMeta(rest) + "$")
	return p
}

// comma writes numbers as in French.
func comma(text string) string { return decimalPoint.ReplaceAllString(text, "$1,$2") }

// frenchNumbers are the numbers of a formula as in French, and those without data.
func frenchNumbers(text string) string {
	return strings.ReplaceAll(comma(text), "(no data)", "(aucune donnée)")
}

// of is the French of a text; false if there is none.
func (t *table) of(text string) (string, bool) {
	for i := range t.texts {
		p := &t.texts[i]
		if groups := p.english.FindStringSubmatch(text); groups != nil {
			if french, ok := t.filled(p, groups[1:]); ok {
				return french, true
			}
		}
	}
	return t.formula(text)
}

// filled is a phrase with its values; false if one of them has no French.
func (t *table) filled(p *phrase, found []string) (string, bool) {
	pairs := make([]string, 0, 2*len(found))
	for i, value := range p.values {
		french, ok := t.value(value, found[i])
		if !ok {
			return "", false
		}
		if value[0] != '{' {
			value = value[:2]
		}
		pairs = append(pairs, value, french)
	}
	return strings.NewReplacer(pairs...).Replace(p.french), true
}

// value is the French of what stands for a value of a phrase.
func (t *table) value(value, text string) (french string, ok bool) {
	if value[0] == '{' {
		return t.formula(text)
	}
	switch value[2] {
	case 'c':
		if french, ok = t.classes[text]; !ok {
			french, ok = t.symbols[text]
		}
		return french, ok
	case 'l':
		return each(text, ", ", func(one string) (string, bool) { return t.value("%1c", one) })
	case 't':
		if french, ok = t.of(text); !ok {
			french, ok = each(text, "; ", t.of)
		}
		return french, ok
	case 'p':
		return comma(strings.NewReplacer(" at ", " à ", ",", " ;").Replace(text)), true
	case 's':
		return text, true
	}
	return comma(text), true
}

// each applies of to the parts of a text; false if there is one that it does not take.
func each(text, separator string, of func(string) (string, bool)) (string, bool) {
	parts := strings.Split(text, separator)
	if separator == "; " && len(parts) == 1 {
		return "", false
	}
	for i := range parts {
		french, ok := of(parts[i])
		if !ok {
			return "", false
		}
		parts[i] = french
	}
	if separator == "; " {
		separator = " ; "
	}
	return strings.Join(parts, separator), true
}

// mathematical are words of formulas that are the same in French.
var mathematical = map[string]bool{"min": true, "max": true, "ln": true, "exp": true, "W": true, "d_k": true, "k": true, "d": true, "A": true, "G": true, "S": true,
	"L": true, "n": true, "a": true, "b": true, "p": true, "λ": true, "Σ": true}

// formula is a formula whose words are symbols alone; false if it has others.
func (t *table) formula(text string) (string, bool) {
	ok := true
	const none = "(∅)" // not made of words
	french := symbolOf.ReplaceAllStringFunc(strings.ReplaceAll(text, "(no data)", none), func(word string) string {
		symbol := strings.Trim(word, "{}")
		name, known := t.symbols[symbol]
		switch {
		case known && symbol != word:
			return "{" + name + "}"
		case known:
			return name
		case symbol == word && !mathematical[word]:
			ok = false
		}
		return word
	})
	return comma(strings.ReplaceAll(french, none, "(aucune donnée)")), ok
}

// translation writes a report in French.
type translation struct {
	*table
	missing map[string]bool
	without []string
}

func (f *translation) text(text *string) {
	if *text == "" {
		return
	}
	french, ok := f.of(*text)
	if ok {
		*text = french
	} else if !f.missing[*text] {
		f.missing[*text] = true
		f.without = append(f.without, *text)
	}
}

func (f *translation) explanation(x *Explanation) {
	f.text(&x.Absent)
	f.text(&x.NotRecomputed)
	for i := range x.Unknown {
		u := &x.Unknown[i]
		f.use(&u.Part)
		f.text(&u.Why)
		f.text(&u.Source)
	}
	for i := range x.Remarks {
		f.text(&x.Remarks[i])
	}
	steps := make([]rating.Step, len(x.steps))
	for i := range x.steps {
		steps[i] = f.step(x.steps[i])
	}
	x.steps = steps
	x.write(" ; ", " ; ", frenchNumbers)
	for i := range x.Parts {
		f.part(&x.Parts[i])
	}
	for i := range x.Places {
		f.use(&x.Places[i].For)
	}
	for i := range x.Under {
		f.explanation(&x.Under[i])
	}
}

// step is a step with its symbols in French.
func (f *translation) step(s rating.Step) rating.Step {
	f.text(&s.Formula)
	s.Symbol = f.symbol(s.Symbol)
	vars := make([]rating.Var, len(s.Vars))
	for i, v := range s.Vars {
		v.Symbol = f.symbol(v.Symbol)
		vars[i] = v
	}
	s.Vars = vars
	return s
}

func (f *translation) symbol(symbol string) string {
	if french, ok := f.symbols[symbol]; ok {
		return french
	}
	return symbol
}

// part is "errands: in access, 0.8513".
func (f *translation) part(p *Part) {
	if p.Of == "" {
	} else if french, ok := f.of(p.Of); ok {
		p.Of = french
	} else if of, how, both := strings.Cut(p.Of, ", "); both {
		f.text(&of)
		f.text(&how)
		p.Of = of + ", " + how
	} else {
		f.text(&p.Of)
	}
	if _, ok := f.symbols[p.Name]; ok {
		p.Name = f.symbol(p.Name)
		return
	}
	f.use(&p.Name)
}

// use is what places count for: a kind of errand, a band of sizes, the classes of a kind of activity.
func (f *translation) use(text *string) {
	if french, ok := f.value("%1l", *text); ok {
		*text = french
		return
	}
	f.text(text)
}
