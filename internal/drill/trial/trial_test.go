package trial

import (
	"io"
	"slices"
	"strings"
	"testing"
)

func TestTrialsEndAsTestsDo(t *testing.T) {
	var ended []string
	for name, c := range map[string]struct {
		check   func(tb testing.TB)
		failure string
		reason  string
	}{
		"nothing": {func(tb testing.TB) { tb.Log(tb.TempDir()) }, "", ""},
		"error":   {func(tb testing.TB) { tb.Errorf("%d is wrong", 7); tb.Error("and more") }, "7 is wrong", ""},
		"fatal":   {func(tb testing.TB) { tb.Fatal("the end"); tb.Error("after the end") }, "the end", ""},
		"panic":   {func(tb testing.TB) { panic("a bug") }, "panic: a bug", ""},
		"skip":    {func(tb testing.TB) { tb.Skipf("no %s", "compiler") }, "", "no compiler"},
		"cleanup": {func(tb testing.TB) { tb.Cleanup(func() { tb.Error("cannot close") }) }, "cannot close", ""},
		"unknown": {func(tb testing.TB) { tb.Setenv("A", "b") }, "panic: ", ""},
	} {
		got := Run(name, t.TempDir(), io.Discard, func(tb testing.TB) {
			tb.Cleanup(func() { ended = append(ended, name) })
			c.check(tb)
		})
		if got.Failed() != (c.failure != "") || got.Reason() != c.reason {
			t.Errorf("%s: failures %q, reason %q", name, got.Failures(), got.Reason())
		}
		if got.Failed() && !strings.HasPrefix(got.Failures()[0], c.failure) || slices.Contains(got.Failures(), "after the end") {
			t.Errorf("%s: %q", name, got.Failures())
		}
	}
	if len(ended) != 7 {
		t.Errorf("cleaned up after %v", ended)
	}
}
