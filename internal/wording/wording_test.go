package wording_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quartier/internal/rating"
	"quartier/internal/wording"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/tsv"
)

// table returns the rows of lines.tsv.
func table(t *testing.T) [][]string {
	t.Helper()
	text, err := os.ReadFile("lines.tsv")
	if err != nil {
		t.Fatal(err)
	}
	return tsv.MustParse("lines.tsv", string(text), "kind", "code", "en", "fr")
}

var (
	verbs    = regexp.MustCompile(`%[0-9.]*[a-z]|\{[^}]+\}`)
	unFrench = regexp.MustCompile(`'| ;;|  |[^ ][;:]( |$)`)
	word     = regexp.MustCompile(`\{[^}]+\}|\pL[\pL_]*`)
)

// mathematical are words of formulas that are the same in French.
var mathematical = strings.Fields("min max ln exp W d_k k d A G G0 S L L0 n n0 a b p λ Σ")

// TestLines checks that each code is there once, in both languages, with the same arguments and symbols.
func TestLines(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range table(t) {
		kind, code, en, fr := row[0], row[1], row[2], row[3]
		if seen[kind+code] {
			t.Errorf("%s %q is there twice", kind, code)
		}
		seen[kind+code] = true
		if code == "" || strings.TrimSpace(en) == "" || strings.TrimSpace(fr) == "" {
			t.Errorf("%s %q lacks a language", kind, code)
		}
		if a, b := verbs.FindAllString(en, -1), verbs.FindAllString(fr, -1); !slices.Equal(a, b) {
			t.Errorf("%s %q has %q in English and %q in French", kind, code, a, b)
		}
		if bad := unFrench.FindString(fr); bad != "" {
			t.Errorf("%s %q has a sign %q that is not French: %s", kind, code, bad, fr)
		}
		switch kind {
		case "class":
			if en != strings.ReplaceAll(code, "_", " ") {
				t.Errorf("the class %s is %q", code, en)
			}
		case "symbol":
			if en != code {
				t.Errorf("the symbol %q is %q", code, en)
			}
		case "line":
		default:
			t.Errorf("there is no kind %q", kind)
		}
	}
}

// TestCodes checks that all lines that the source says are in the table, that no others are, and that formulas have no words but
// symbols with a French name.
func TestCodes(t *testing.T) {
	missing, symbols := map[string]bool{}, map[string]bool{}
	for _, row := range table(t) {
		switch row[0] {
		case "line":
			missing[row[1]] = true
		case "symbol":
			symbols[row[1]] = true
		}
	}
	said := map[string]bool{}
	for _, v := range schemas.ClassVerdicts {
		code := "verdict_" + string(v.Verdict)
		said[code] = true
		if en := wording.English.Text(wording.Say(code)); en != v.Meaning {
			t.Errorf("%s: %q, want %q", code, en, v.Meaning)
		}
	}
	for _, call := range calls(t, "../rating", "../../build/explain") {
		text, err := strconv.Unquote(call.text)
		if err != nil {
			t.Fatal(err)
		}
		if call.name != "formula" {
			said[text] = true
			continue
		}
		for _, w := range word.FindAllString(text, -1) {
			symbol := strings.Trim(w, "{}")
			if !slices.Contains(mathematical, symbol) && (symbol == w || !symbols[symbol]) {
				t.Errorf("the formula %s has the word %q, which has no French", text, symbol)
			}
		}
	}
	for code := range said {
		if !missing[code] && code != "verdict_" && !strings.HasSuffix(code, "_list") {
			t.Errorf("the line %q is in neither language", code)
		}
		delete(missing, code)
	}
	for code := range missing {
		if !strings.HasSuffix(code, "_list") {
			t.Errorf("nothing says %q", code)
		}
	}
}

type call struct{ name, text string }

// calls are the calls of Say and Formula in folders with their first text; of formulas, all texts.
func calls(t *testing.T, folders ...string) (list []call) {
	t.Helper()
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(folder, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				c, ok := n.(*ast.CallExpr)
				if !ok || len(c.Args) == 0 {
					return true
				}
				name := ""
				switch f := c.Fun.(type) {
				case *ast.Ident:
					name = f.Name
				case *ast.SelectorExpr:
					name = f.Sel.Name
				}
				name = strings.ToLower(name)
				if name != "say" && name != "formula" {
					return true
				}
				found := len(list)
				ast.Inspect(c.Args[0], func(n ast.Node) bool {
					if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING && (name == "formula" || found == len(list)) {
						list = append(list, call{name, text.Value})
					}
					return true
				})
				if name == "say" && found == len(list) {
					t.Errorf("%s says a line whose code is not written there", file.Name)
				}
				return true
			})
		}
	}
	return list
}

// TestNamesInFrench checks that what the calibration names has French: classes, kinds of errand and the symbols of composite
// scores, with all parts and without each of them.
func TestNamesInFrench(t *testing.T) {
	c := calibration.Standard()
	classes := slices.Concat(schemas.HeardClasses, c.Access.Frontage.Classes, c.Form.Local)
	for _, g := range c.Access.Gravities {
		classes = append(classes, g.Class)
	}
	for _, p := range c.Proximity {
		classes = append(classes, p.Class)
	}
	for _, slot := range c.Access.Slots {
		classes = append(append(classes, slot.Name), slot.Classes...)
	}
	for _, activity := range c.Vibrant.Activities {
		classes = append(classes, activity.Classes...)
	}
	for _, kind := range c.Transit.WithoutTimes.Unknown {
		classes = append(classes, kind.Class, kind.Mode, kind.Class+"s")
	}
	has := map[string]bool{}
	for _, row := range table(t) {
		has[row[0]+row[1]] = true
	}
	for _, class := range classes {
		if !has["class"+class] {
			t.Errorf("the class %q has no French", class)
		}
	}
	symbols := func(in *rating.Inputs) {
		for _, score := range rating.Composites {
			var trace rating.Trace
			score.Value(c, in, &trace)
			for _, step := range trace.Steps {
				for _, w := range word.FindAllString(wording.French.Filled(step.Formula, unnamed(has, &step)), -1) {
					if strings.HasPrefix(w, "{") {
						t.Errorf("%s: the symbol %s has no French", schemas.ChannelName(score.Channel), w)
					}
				}
			}
		}
	}
	var in rating.Inputs
	symbols(&in)
	for q := range in.Quantities {
		kept := in.Quantities[q]
		in.Quantities[q] = math.NaN()
		symbols(&in)
		in.Quantities[q] = kept
	}
	for channel := range in.Channels {
		in.Channels[channel] = math.NaN()
		symbols(&in)
		in.Channels[channel] = 0
	}
}

// unnamed marks the symbols of a step that have no French.
func unnamed(has map[string]bool, step *rating.Step) map[string]string {
	marked := map[string]string{}
	for _, v := range step.Vars {
		if !has["symbol"+v.Symbol] && !slices.Contains(mathematical, v.Symbol) {
			marked[v.Symbol] = "{" + v.Symbol + "}"
		}
	}
	return marked
}

func TestTexts(t *testing.T) {
	say := wording.Say
	for _, test := range []struct {
		line   *wording.Line
		en, fr string
	}{
		{nil, "", ""},
		{wording.Formula("5 {clamp}((70 − 58.9)/({loud} − 45))"), "5 clamp((70 − 58.9)/(loud − 45))", "5 borne((70 − 58,9)/(bruyant − 45))"},
		{say("db_or_less", 40.04), "40.0 dB or less", "40,0 dB ou moins"},
		{say("in_step", wording.Symbol("errands")), "in errands", "compris dans courses"},
		{say("none_near_enough", wording.Classes{"schools", "restaurants and bars"}),
			"no place is near enough for: schools, restaurants and bars",
			"aucun lieu n’est assez proche pour : écoles, restaurants et bars"},
		{say("none_within_nearest", wording.Class("pharmacy"), 2414.0, "Chez Jo; {bis} 1.5 %d", "osm:node:1.5", 4647.9),
			"no pharmacy within 2414 m on foot; the nearest, Chez Jo; {bis} 1.5 %d (osm:node:1.5), is 4648 m away",
			"aucun lieu de la catégorie « pharmacie » à moins de 2414 m à pied ; le plus proche, Chez Jo; {bis} 1.5 %d (osm:node:1.5), est à 4648 " +
				"m"},
		{say("curve", wording.List("comma_list", []*wording.Line{say("curve_point", 5.0, 400.0), say("curve_point", 2.5, 1500.0)})),
			"piecewise linear in d/factor: 5 at 400 m, 2.5 at 1500 m", "linéaire par morceaux en d/facteur : 5 à 400 m ; 2,5 à 1500 m"},
		{say("errands_of_estimated", 12.0, 15.0, 0.15, wording.List("semicolon_list", []*wording.Line{
			say("errand_by", wording.Class("shopping"), 2.0, wording.Classes{"coffee", "daily needs"}),
			say("errand_by", wording.Class("books"), 1.0, wording.Classes{"coffee"})})),
			"errands of 12 of 15 points; estimated from the others, with a residual of 0.15 points of the score: shopping (2) by coffee, daily " +
				"needs; books (1) by coffee",
			"courses : 12 points sur 15 ; les autres sont estimés par ceux-là, avec un écart type de 0,15 point de la cote : magasinage (2) par " +
				"cafés, besoins quotidiens ; livres (1) par cafés"},
		{say("lent_place_nearer", 2414.0),
			"a place that a neighbouring region lends is nearer than those of this region, and the release lists lent places up to 2414 m from " +
				"the region's streets",
			"un lieu prêté par une région voisine est plus proche que ceux de cette région, et la version ne contient les lieux prêtés que " +
				"jusqu’à 2414 m des rues de la région"},
		{say("classes_unknown", 62.5, wording.Classes{"bus_stop"}),
			"these classes are unknown in this region, and without them less than 62.5 % of the places are known: bus stop",
			"ces catégories sont inconnues dans cette région et, sans elles, moins de 62,5 % des lieux sont connus : arrêt d’autobus"},
	} {
		if en, fr := wording.English.Text(test.line), wording.French.Text(test.line); en != test.en || fr != test.fr {
			t.Errorf("%s\n%s\nwant %s\n%s", en, fr, test.en, test.fr)
		}
	}
	step := rating.Step{Formula: wording.Formula("{clamp}(({none} − {drive})/({none} − 2))"), Value: math.NaN(),
		Vars: []rating.Var{{Symbol: "none", Value: 10, Path: "p"}, {Symbol: "drive", Value: math.NaN()}}}
	if en, fr := step.Worked(wording.English), step.Worked(wording.French); en != "clamp((10 − (no data))/(10 − 2)) = (no data)" ||
		fr != "borne((10 − (aucune donnée))/(10 − 2)) = (aucune donnée)" {
		t.Errorf("%s\n%s", en, fr)
	}
}
