package state_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/internal/testenv"
	"quartier/serve/state"
)

var update = flag.Bool("update", false, "rewrite the diagram of docs/api.md")

// The diagram of docs/api.md is made from the table of transitions.
func TestDiagramOfTheDocs(t *testing.T) {
	const begin, end = "```mermaid\n", "```\n"
	path := filepath.Join(testenv.ModuleRoot(), "docs", "api.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	diagram, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatal("docs/api.md has no diagram")
	}
	if *update {
		if err := os.WriteFile(path, []byte(before+begin+drawn()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diagram != drawn() {
		t.Errorf("docs/api.md has\n%swant\n%s(go test ./serve/state -run Diagram -update)", diagram, drawn())
	}
}

// drawn is the state diagram of docs/api.md, in the language of Mermaid.
func drawn() string {
	var text strings.Builder
	text.WriteString("stateDiagram-v2\n")
	for _, t := range state.Transitions {
		when := ""
		if t.New {
			when = ", never published"
		}
		fmt.Fprintf(&text, "    %s --> %s: %s%s\n", nodeOf(t.From), t.To, t.On, when)
	}
	for _, s := range state.Statuses {
		if !slices.ContainsFunc(state.Transitions, func(t state.Transition) bool { return t.From == s.Status }) {
			fmt.Fprintf(&text, "    %s --> [*]\n", s.Status)
		}
	}
	return text.String()
}

func nodeOf(s state.Status) string {
	if s == "" {
		return "[*]"
	}
	return string(s)
}
