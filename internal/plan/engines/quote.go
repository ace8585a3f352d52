package engines

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// bash writes a text as one word of bash, on one line: a script for sbatch may not have line breaks of DOS.
func bash(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return sh(text)
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\%03o`, r)
		case r == '\'' || r == '\\':
			b.WriteRune('\\')
			fallthrough
		default:
			b.WriteRune(r)
		}
	}
	return "$'" + b.String() + "'"
}

// plain is a word that means itself to shells.
var plain = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,-]+$`)

// sh writes a text as one word of any shell of POSIX.
func sh(text string) string {
	if plain.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// words writes texts as words of any shell of POSIX.
func words(texts []string) string {
	all := slices.Clone(texts)
	for i, text := range all {
		all[i] = sh(text)
	}
	return strings.Join(all, " ")
}

// dollars writes a text so that Kubernetes, which puts variables in the place of $(NAME), leaves it as it is.
func dollars(text string) string { return strings.ReplaceAll(text, "$", "$$") }

// join writes values with a text between them.
func join(values []int, between string) string {
	var all []string
	for _, v := range values {
		all = append(all, strconv.Itoa(v))
	}
	return strings.Join(all, between)
}
