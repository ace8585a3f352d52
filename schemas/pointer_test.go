package schemas

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func samplePointer() *Pointer {
	return &Pointer{Schema: PointerSchema, Generation: 7, Components: []ComponentRef{
		{Places, "places", strings.Repeat("ab", 32), "2026-11-01"},
		{Market, "market/2026-11-20", strings.Repeat("cd", 32), "2026-11-20"},
	}}
}

func TestPointerComesBack(t *testing.T) {
	dir := t.TempDir()
	if p, err := ReadPointer(dir); p != nil || err != nil {
		t.Errorf("without a pointer: %v %v", p, err)
	}
	if folder, err := ComponentFolder(dir, Places); folder != dir || err != nil {
		t.Errorf("without a pointer: %s %v", folder, err)
	}
	want, err := samplePointer().Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, PointerFile), want, 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := ReadPointer(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := p.Encode(); !bytes.Equal(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
	if folder, err := ComponentFolder(dir, Market); folder != filepath.Join(dir, "market", "2026-11-20") || err != nil {
		t.Errorf("%s %v", folder, err)
	}
}

func TestPointersThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Pointer)
		want   string
	}{
		{"another schema", func(p *Pointer) { p.Schema = 7 }, "schema 7"},
		{"no generation", func(p *Pointer) { p.Generation = 0 }, "generation 0"},
		{"no components", func(p *Pointer) { p.Components = nil }, "no component places"},
		{"market alone", func(p *Pointer) { p.Components = p.Components[1:] }, "no component places"},
		{"two of one", func(p *Pointer) { p.Components[1] = p.Components[0] }, "twice"},
		{"outside", func(p *Pointer) { p.Components[0].Folder = "../places" }, "not below"},
		{"absolute", func(p *Pointer) { p.Components[0].Folder = "/etc" }, "not below"},
		{"itself", func(p *Pointer) { p.Components[0].Folder = "." }, "not below"},
		{"no digest", func(p *Pointer) { p.Components[0].Digest = "" }, "digest"},
		{"no date", func(p *Pointer) { p.Components[1].AsOf = "2026-02-30" }, "as_of"},
	} {
		p := samplePointer()
		c.change(p)
		data, err := p.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := DecodePointer(data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func FuzzDecodePointer(f *testing.F) {
	data, err := samplePointer().Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(bytes.Replace(data, []byte("7"), []byte("1e1"), 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := DecodePointer(data)
		if err != nil {
			return
		}
		if again, err := p.Encode(); err != nil || !bytes.Equal(again, data) {
			t.Errorf("%s became %s", data, again)
		}
	})
}
