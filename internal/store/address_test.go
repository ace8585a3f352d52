package store

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"releases": "releases", "/a/../b/": "/b", "./a": "a", "file:///a/b": "/a/b", "s3://bucket": "s3://bucket",
		"s3://bucket/": "s3://bucket", "s3://my.bucket-1/a/b/": "s3://my.bucket-1/a/b", "../x": "../x", "-": "-",
		// refused
		"": "", "s3://": "", "s3://B": "", "s3:///a": "", "s3://bucket//": "s3://bucket", "s3://bucket/../x": "", "s3://bucket/a b": "",
		"s3://key:word@bucket/x": "", "s3://bucket/x?secret=y": "", "https://bucket/x": "", "file://host/x": "", "a\nb": "", "S3://bucket": "",
		"s3://bucket/" + strings.Repeat("x", 300): "", "s3://a..b": "",
	} {
		a, err := ParseAddress(text)
		if want == "" {
			if !errors.Is(err, ErrAddress) || strings.Contains(err.Error(), "word") {
				t.Errorf("%q: %v %v", text, a, err)
			}
		} else if err != nil || a.String() != want {
			t.Errorf("%q is %q, want %q (%v)", text, a, want, err)
		}
	}
	if _, err := Open(t.Context(), "s3://bucket"); !errors.Is(err, ErrAddress) {
		t.Errorf("without a package of buckets: %v", err)
	}
}

func FuzzParseAddress(f *testing.F) {
	for _, text := range []string{"a", "file:///a", "s3://bucket/a/b", "s3://b/..", "x://y", "a:/b://c", "file:////"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAddress(text)
		if err != nil {
			if !errors.Is(err, ErrAddress) || a != (Address{}) {
				t.Errorf("%q: %v %v", text, a, err)
			}
			return
		}
		again, err := ParseAddress(a.String())
		if a.Folder != "" && err == nil {
			a.Folder, _ = filepath.Abs(a.Folder)
			again.Folder, _ = filepath.Abs(again.Folder)
		}
		if err != nil || again != a {
			t.Errorf("%q is %+v, and %q %+v (%v)", text, a, a, again, err)
		}
		if strings.Contains("/"+a.Prefix+"/", "/../") || strings.HasPrefix(a.Prefix, "/") {
			t.Errorf("%q has the prefix %q", text, a.Prefix)
		}
	})
}

func TestBlobsAndTheirDigests(t *testing.T) {
	digest := strings.Repeat("ab", 32)
	for name, want := range map[string]string{
		Blob(digest): digest, "x/" + Blob(digest): "", digest: "", "objects/cd/" + digest: "", "releases/" + digest + ".json": "", "": "",
	} {
		if got := DigestOf(name); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}
