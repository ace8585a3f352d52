package endpoint

import (
	"testing"

	"pgregory.net/rapid"
)

// TestAppendText compares with the JSON encoder.
func TestAppendText(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, s string) {
		want, err := Encode(s)
		if got := AppendText([]byte("x"), s); err != nil || string(got) != "x"+string(want) {
			t.Fatalf("%q is %s, want x%s, %v", s, got, want, err)
		}
	}
	for _, s := range []string{"", "Hull", "Île-Perrot", `a "b" \c`, "<&>", "\x7f", "\x00", "a\u2028b", "\u2029", "\xff", "é\xc3", "日本"} {
		check(t, s)
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "text"))
	})
}
