// Package storetest is what every store.Store must do.
package storetest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"quartier/internal/store"
)

// large is the bytes of the largest object; a store that sends parts has parts that are smaller.
const large = 12<<20 + 7

// Bytes are n bytes of a seed.
func Bytes(seed uint64, n int) []byte {
	data := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8)}).Read(data)
	return data
}

// Of is the object of a name with some bytes; "" is the name of a blob.
func Of(name string, data []byte) store.Object {
	digest := store.Sum(data)
	return store.Object{Name: cmp.Or(name, store.Blob(digest)), Bytes: int64(len(data)), SHA256: digest}
}

// Put puts bytes and returns their object.
func Put(t testing.TB, s store.Store, name string, data []byte) store.Object {
	t.Helper()
	o := Of(name, data)
	if err := s.Put(t.Context(), o, bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	return o
}

// Read reads length bytes of an object from an offset.
func Read(t testing.TB, s store.Store, name string, offset, length int64) ([]byte, error) {
	t.Helper()
	r, err := s.Open(t.Context(), name, offset, length)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	return data, errors.Join(err, r.Close())
}

// Names lists the names with a prefix.
func Names(t testing.TB, s store.Store, prefix string) (names []string) {
	t.Helper()
	for o, err := range s.List(t.Context(), prefix) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, o.Name)
	}
	return names
}

func want(t *testing.T, what string, err, is error) {
	t.Helper()
	if !errors.Is(err, is) {
		t.Errorf("%s: %v, want %v", what, err, is)
	}
}

// Run tests the stores that open makes. Each is empty; two of one test are the same place by two processes.
func Run(t *testing.T, open func(t *testing.T) (one, other store.Store)) {
	for name, test := range map[string]func(*testing.T, store.Store, store.Store){
		"objects": objects, "ranges": ranges, "once": once, "names": names, "list": list, "pointers": pointers, "race": race,
		"canceled": canceled,
	} {
		t.Run(name, func(t *testing.T) {
			one, other := open(t)
			test(t, one, other)
		})
	}
}

func objects(t *testing.T, s, other store.Store) {
	for i, n := range []int{0, 1, 1000, 5 << 20, large} {
		data := Bytes(uint64(i), n)
		for _, name := range []string{"", fmt.Sprint("attempts/a.b_c-D/", i, "/x.json")} {
			o := Put(t, s, name, data)
			got, err := Read(t, other, o.Name, 0, -1)
			if err != nil || !bytes.Equal(got, data) {
				t.Errorf("%d bytes: %d came back, %v", n, len(got), err)
			}
			stat, err := other.Stat(t.Context(), o.Name)
			if err != nil || stat.Name != o.Name || stat.Bytes != o.Bytes || stat.SHA256 != o.SHA256 && (stat.SHA256 != "" || name == "") {
				t.Errorf("stat: %+v %v, want %+v", stat, err, o)
			}
			for range 2 {
				want(t, "delete", s.Delete(t.Context(), o.Name), nil)
			}
			_, err = Read(t, other, o.Name, 0, -1)
			want(t, "read what was deleted", err, store.ErrNotFound)
			_, err = other.Stat(t.Context(), o.Name)
			want(t, "stat what was deleted", err, store.ErrNotFound)
		}
	}
}

func ranges(t *testing.T, s, _ store.Store) {
	data := Bytes(1, 1<<20)
	o := Put(t, s, "", data)
	n := o.Bytes
	for _, r := range [][2]int64{{0, -1}, {0, n}, {0, 1}, {0, 0}, {n, 0}, {n, -1}, {n - 1, 1}, {n - 1, -1}, {5, 100}, {n / 2, n / 3},
		{n - 5, 100}} {
		end := n
		if r[1] >= 0 {
			end = min(n, r[0]+r[1])
		}
		got, err := Read(t, s, o.Name, r[0], r[1])
		if err != nil || !bytes.Equal(got, data[r[0]:end]) {
			t.Errorf("%v: %d bytes, %v, want %d", r, len(got), err, end-r[0])
		}
	}
	for _, r := range [][2]int64{{n + 1, -1}, {n + 1, 5}, {-1, 5}, {0, -2}} {
		if got, err := Read(t, s, o.Name, r[0], r[1]); err == nil {
			t.Errorf("%v: %d bytes without an error", r, len(got))
		}
	}
	_, err := s.Open(t.Context(), "none", 5, 0)
	want(t, "no bytes of nothing", err, store.ErrNotFound)
}

func once(t *testing.T, s, other store.Store) {
	first, second := Bytes(1, 1000), Bytes(2, large)
	Put(t, s, "steps/a.json", first)
	want(t, "another one", other.Put(t.Context(), Of("steps/a.json", second), bytes.NewReader(second)), store.ErrExists)
	want(t, "the same", other.Put(t.Context(), Of("steps/a.json", first), bytes.NewReader(first)), store.ErrExists)
	if got, err := Read(t, s, "steps/a.json", 0, -1); err != nil || !bytes.Equal(got, first) {
		t.Errorf("it did not stay: %d bytes, %v", len(got), err)
	}
	for _, data := range [][]byte{first, second} {
		wrong := Of("", data)
		for what, o := range map[string]store.Object{
			"fewer": {Name: wrong.Name, Bytes: wrong.Bytes - 1, SHA256: wrong.SHA256},
			"more":  {Name: wrong.Name, Bytes: wrong.Bytes + 1, SHA256: wrong.SHA256},
			"other": {Name: "steps/b.json", Bytes: wrong.Bytes, SHA256: strings.Repeat("0", 64)},
			"none":  {Name: "steps/b.json", Bytes: wrong.Bytes},
			"named": {Name: store.Blob(strings.Repeat("0", 64)), Bytes: wrong.Bytes, SHA256: wrong.SHA256},
		} {
			want(t, what, s.Put(t.Context(), o, bytes.NewReader(data)), store.ErrDigest)
			_, err := other.Stat(t.Context(), o.Name)
			want(t, what+" is not there", err, store.ErrNotFound)
		}
	}
	var puts sync.WaitGroup
	var written, there atomic.Int64
	for i := range 8 {
		puts.Go(func() {
			data := Bytes(uint64(i), 1000+i)
			switch err := []store.Store{s, other}[i%2].Put(t.Context(), Of("steps/c.json", data), bytes.NewReader(data)); {
			case err == nil:
				written.Add(1)
			case errors.Is(err, store.ErrExists):
				there.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	if puts.Wait(); written.Load() != 1 || there.Load() != 7 {
		t.Errorf("%d wrote the object and %d found it there", written.Load(), there.Load())
	}
}

// badNames are names that no object has.
var badNames = []string{"", "/", "/a", "a/", "a//b", "..", "../a", "a/../b", ".", "./a", "a/.", ".hidden", "a/.hidden", "a\x00b", "a\nb",
	"a\x7f", "a b", "é", "a\\b", "a:b", "a*", strings.Repeat("a", 201), strings.Repeat("a/", 400) + "a"}

func names(t *testing.T, s, _ store.Store) {
	ctx := t.Context()
	for _, name := range badNames {
		_, err := s.Open(ctx, name, 0, -1)
		want(t, "open", err, store.ErrName)
		_, err = s.Stat(ctx, name)
		want(t, "stat", err, store.ErrName)
		want(t, "put", s.Put(ctx, store.Object{Name: name, SHA256: Of("", nil).SHA256}, bytes.NewReader(nil)), store.ErrName)
		want(t, "delete", s.Delete(ctx, name), store.ErrName)
		_, _, err = s.Read(ctx, name)
		want(t, "read", err, store.ErrName)
		_, err = s.Swap(ctx, name, "", nil)
		want(t, "swap", err, store.ErrName)
		for _, err = range s.List(ctx, "x"+name+"/../y") {
		}
		want(t, "list", err, store.ErrName)
	}
}

func list(t *testing.T, s, _ store.Store) {
	if got := Names(t, s, ""); len(got) > 0 {
		t.Errorf("an empty store has %q", got)
	}
	all := []string{"a", "b-c/x", "b.c", "b/a/x", "b/x", "b0", "c/y", "objects/ab/1"}
	for _, name := range all {
		Put(t, s, name, []byte(name))
	}
	if _, err := s.Swap(t.Context(), "current.json", "", []byte("{}")); err != nil {
		t.Fatal(err)
	}
	all = append(all, "current.json")
	slices.Sort(all)
	for _, prefix := range []string{"", "b", "b/", "b/a/", "c", "c/y", "objects/", "d", "d/e/f"} {
		wanted := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !strings.HasPrefix(name, prefix) })
		if got := Names(t, s, prefix); !slices.Equal(got, wanted) {
			t.Errorf("%q: %q, want %q", prefix, got, wanted)
		}
	}
	for o, err := range s.List(t.Context(), "") {
		if err != nil || o.Name != "a" || o.Bytes != 1 {
			t.Errorf("%+v %v", o, err)
		}
		break
	}
}

func pointers(t *testing.T, s, other store.Store) {
	ctx := t.Context()
	_, _, err := s.Read(ctx, "current.json")
	want(t, "none", err, store.ErrNotFound)
	_, err = s.Swap(ctx, "current.json", "another", []byte("1"))
	want(t, "a version of none", err, store.ErrChanged)
	first, err := s.Swap(ctx, "current.json", "", []byte("1"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = other.Swap(ctx, "current.json", "", []byte("2"))
	want(t, "none, by now there", err, store.ErrChanged)
	value, version, err := other.Read(ctx, "current.json")
	if err != nil || string(value) != "1" || version != first {
		t.Errorf("%q %q %v, want the version %q", value, version, err, first)
	}
	second, err := other.Swap(ctx, "current.json", version, []byte("2"))
	if err != nil || second == first {
		t.Errorf("%q %v", second, err)
	}
	_, err = s.Swap(ctx, "current.json", first, []byte("3"))
	want(t, "an old version", err, store.ErrChanged)
	if value, version, err = s.Read(ctx, "current.json"); err != nil || string(value) != "2" || version != second {
		t.Errorf("%q %q %v", value, version, err)
	}
	if _, err := s.Swap(ctx, "current.json", second, make([]byte, store.MostPointer+1)); err == nil {
		t.Error("a large pointer was taken")
	}
	want(t, "delete", s.Delete(ctx, "current.json"), nil)
	_, err = s.Swap(ctx, "current.json", second, []byte("3"))
	want(t, "a version of what was deleted", err, store.ErrChanged)
}

// race has eight publishers count in one pointer.
func race(t *testing.T, s, other store.Store) {
	var counting sync.WaitGroup
	const publishers, each = 8, 5
	for i := range publishers {
		counting.Go(func() {
			s := []store.Store{s, other}[i%2]
			for range each {
				for {
					value, version, err := s.Read(t.Context(), "count")
					if err != nil && !errors.Is(err, store.ErrNotFound) {
						t.Error(err)
						return
					}
					if _, err = s.Swap(t.Context(), "count", version, append(value, byte('a'+i))); err == nil {
						break
					} else if !errors.Is(err, store.ErrChanged) {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	counting.Wait()
	value, _, err := s.Read(t.Context(), "count")
	if err != nil || len(value) != publishers*each {
		t.Errorf("%d were counted, want %d (%v)", len(value), publishers*each, err)
	}
}

func canceled(t *testing.T, s, _ store.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	data := Bytes(1, large)
	o := Of("", data)
	want(t, "put", s.Put(ctx, o, bytes.NewReader(data)), context.Canceled)
	if got := Names(t, s, ""); len(got) > 0 {
		t.Errorf("a canceled put left %q", got)
	}
}
