package accept

import "testing"

// A caller's header, and what of zstd and gzip, or of gzip alone, it prefers.
func TestCoding(t *testing.T) {
	for header, want := range map[string][2]string{
		"": {"", ""}, "identity": {"", ""}, "gzip": {"gzip", "gzip"}, "GZIP": {"gzip", "gzip"}, "gzip, deflate, br, zstd": {"zstd", "gzip"},
		"zstd":             {"zstd", ""},
		"zstd;q=0.5, gzip": {"gzip", "gzip"}, "gzip;q=0.5, zstd": {"zstd", "gzip"}, "zstd;q=0, gzip;q=0": {"", ""}, "*": {"zstd", "gzip"},
		"*;q=0":       {"", ""},
		"gzip;q=0, *": {"zstd", ""}, "gzip;q=0.001": {"gzip", "gzip"}, "gzip;q=0.000": {"", ""}, "gzip; q=0": {"", ""}, "gzip;q=2": {"", ""},
		"gzip;q=x":             {"", ""},
		"identity, gzip;q=0.5": {"", ""}, "identity;q=0.5, gzip;q=0.5": {"gzip", "gzip"}, "gzip;q=0.2, identity;q=0.1": {"gzip", "gzip"},
		"x-gzip, deflate": {"", ""}, ";;q=,": {"", ""},
	} {
		got := [2]string{Coding([]string{header}, "zstd", "gzip"), Coding([]string{header}, "gzip")}
		if got != want {
			t.Errorf("%q: %q, want %q", header, got, want)
		}
	}
	if got := Coding(nil, "gzip"); got != "" {
		t.Errorf("no header: %q", got)
	}
	if got := Coding([]string{"br", "zstd;q=0.1, gzip"}, "zstd", "gzip"); got != "gzip" {
		t.Errorf("two lines: %q", got)
	}
}

func TestHas(t *testing.T) {
	const tag = `"abc-gzip"`
	for header, want := range map[string]bool{
		tag: true, "W/" + tag: true, "*": true, `"x", ` + tag: true, ` W/` + tag + ` ,"x"`: true,
		"": false, `"abc"`: false, "abc-gzip": false, `w/` + tag: false, `"abc-gzip`: false,
	} {
		if got := Has([]string{header}, tag); got != want {
			t.Errorf("%q: %v", header, got)
		}
	}
	if Has(nil, tag) || !Has([]string{`"x"`, tag}, tag) {
		t.Error("none or two lines")
	}
}

func TestJSON(t *testing.T) {
	for header, want := range map[string]bool{
		"": true, "*/*": true, "application/json": true, "text/html, application/json;q=0.1": true, "application/*": true,
		"APPLICATION/JSON":          true,
		"application/json;q=0, */*": false, "application/*;q=0, */*": false, "text/html": false, "text/html, */*;q=0.8": true,
		"application/json;q=0": false,
	} {
		if got := JSON([]string{header}); got != want {
			t.Errorf("%q: %v", header, got)
		}
	}
	if !JSON(nil) {
		t.Error("no header")
	}
}

func TestNothingIsAllocated(t *testing.T) {
	header, tags := []string{"gzip, deflate, br, zstd;q=0.9"}, []string{`"x", W/"y"`}
	if n := testing.AllocsPerRun(100, func() {
		Coding(header, "zstd", "gzip")
		Has(tags, `"y"`)
		JSON([]string{"text/html, */*;q=0.8"})
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
