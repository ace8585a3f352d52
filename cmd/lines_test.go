package cmd_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"testing"
	"unicode/utf8"
)

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// maxLine is how many characters a line of Go has at most, a tab being one.
const maxLine = 140

// TestLinesAreShort looks at all Go files but generated ones and those of testdata. Literals of several lines may have longer
// ones, and so may tags of fields, which cannot be divided.
func TestLinesAreShort(t *testing.T) {
	read := 0
	eachFile(t, ".go", func(path string, text []byte) {
		if generated.Match(text) {
			return
		}
		read++
		var may map[int]bool
		for i, line := range bytes.Split(text, []byte("\n")) {
			if utf8.RuneCount(line) <= maxLine {
				continue
			}
			if may == nil {
				may = undivided(t, path, text)
			}
			if !may[i+1] {
				t.Errorf("%s:%d has %d characters, of which a line has at most %d", path, i+1, utf8.RuneCount(line), maxLine)
			}
		}
	})
	if read < 1000 {
		t.Errorf("%d files were read", read)
	}
}

// undivided are the lines with a part of a literal of several lines or with a tag.
func undivided(t *testing.T, path string, text []byte) map[int]bool {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[int]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			first, last := files.Position(n.Pos()).Line, files.Position(n.End()).Line
			for line := first; first < last && line <= last; line++ {
				lines[line] = true
			}
		case *ast.Field:
			if n.Tag != nil {
				lines[files.Position(n.Tag.Pos()).Line] = true
			}
		}
		return true
	})
	return lines
}
