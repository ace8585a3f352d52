package regionfile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Edit applies changes to the text of a region file. Comments and all other lines stay as they are. The sha256 of a source
// that changes is removed: the next fetch pins its file.
func Edit(text []byte, changes []Change) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	lines := strings.SplitAfter(string(text), "\n")
	removed := map[int]bool{}
	for _, c := range changes {
		source := sourceOf(&document, c.Source)
		if source == nil {
			return nil, fmt.Errorf("source %s is not in the file", c.Source)
		}
		for i := len(source.Content) - 2; i >= 0; i -= 2 { // from the end, since one line may have all
			key, value := source.Content[i], source.Content[i+1]
			to := map[string]string{"url": c.URL, "as_of": c.AsOf, "attribution": c.Attribution}[key.Value]
			switch {
			case key.Value == "sha256" && source.Style&yaml.FlowStyle == 0:
				removed[key.Line-1] = true
			case key.Value == "sha256":
				if err := replace(lines, value, ""); err != nil {
					return nil, err
				}
				line := lines[key.Line-1]
				line = strings.Replace(line, ", sha256: ,", ",", 1)
				lines[key.Line-1] = strings.Replace(line, ", sha256: }", "}", 1)
			case to != "" && to != value.Value:
				if err := replace(lines, value, to); err != nil {
					return nil, err
				}
			}
		}
	}
	var b strings.Builder
	for i, line := range lines {
		if !removed[i] {
			b.WriteString(line)
		}
	}
	return []byte(b.String()), nil
}

var dateText = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

// sourceOf is the mapping of a source.
func sourceOf(document *yaml.Node, id string) *yaml.Node {
	for _, source := range valueOf(document.Content[0], "sources").Content {
		if v := valueOf(source, "id"); v.Value == id {
			return source
		}
	}
	return nil
}

// valueOf is a value of a mapping; an empty node where there is none.
func valueOf(mapping *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i+1]
		}
	}
	return &yaml.Node{}
}

// replace replaces the text of a value where it stands; "" removes it.
func replace(lines []string, value *yaml.Node, to string) error {
	line := []rune(lines[value.Line-1])
	start := value.Column - 1
	for _, written := range []string{value.Value, `"` + value.Value + `"`, "'" + value.Value + "'"} {
		w := []rune(written)
		if end := start + len(w); end <= len(line) && slices.Equal(line[start:end], w) {
			text := to
			if to != "" && !dateText.MatchString(to) {
				text = scalar(to)
			}
			lines[value.Line-1] = string(line[:start]) + text + string(line[end:])
			return nil
		}
	}
	return fmt.Errorf("line %d: %q is written in a way that is not changed; change it to %q by hand", value.Line, value.Value, to)
}

// Diff is the lines that differ, with their numbers.
func Diff(before, after []byte) string {
	a, b := strings.Split(string(before), "\n"), strings.Split(string(after), "\n")
	var out strings.Builder
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || strings.Contains(a[i], "sha256:") && !strings.Contains(b[j], "sha256:") && keyOf(a[i]) == "sha256"):
			fmt.Fprintf(&out, "@@ %d\n-%s\n", i+1, a[i])
			i++
		case i < len(a):
			fmt.Fprintf(&out, "@@ %d\n-%s\n+%s\n", i+1, a[i], b[j])
			i, j = i+1, j+1
		default:
			fmt.Fprintf(&out, "@@ %d\n+%s\n", i+1, b[j])
			j++
		}
	}
	return out.String()
}

// keyOf is the key of a line of a mapping in block style.
func keyOf(line string) string {
	key, _, _ := strings.Cut(strings.TrimSpace(line), ":")
	return key
}
