package explained

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Columns prints rows as a table. A column whose heading begins with > is right-aligned; empty columns are left out.
func Columns(w io.Writer, indent string, headings []string, rows [][]string) {
	widths := make([]int, len(headings))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	print := func(row []string) {
		var line strings.Builder
		line.WriteString(indent)
		for i, cell := range row {
			if widths[i] == 0 {
				continue
			}
			title, right := strings.CutPrefix(headings[i], ">")
			pad := strings.Repeat(" ", max(widths[i], utf8.RuneCountInString(title))-utf8.RuneCountInString(cell))
			if right {
				cell, pad = pad+cell, ""
			}
			line.WriteString("  " + cell + pad)
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
	titles := make([]string, len(headings))
	for i, heading := range headings {
		titles[i] = strings.TrimPrefix(heading, ">")
	}
	print(titles)
	for _, row := range rows {
		print(row)
	}
}

// wrap breaks a text at spaces into lines of at most width characters.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// Thousands formats 1234567 as 1,234,567.
func Thousands(n int64) string {
	text := fmt.Sprint(n)
	sign := ""
	if n < 0 {
		sign, text = "-", text[1:]
	}
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return sign + text
}
