package publish

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"quartier/schemas"
)

// ErrBeside is returned where components do not belong to each other.
var ErrBeside = errors.New("the component stands beside another release")

// Set is the folders of the components that are published together; "" for one that is not.
type Set struct{ Places, Private, Market, PrivateMarket string }

// folder is the member of a component.
func (s *Set) folder(name string) *string {
	return map[string]*string{
		schemas.Places: &s.Places, schemas.Private: &s.Private, schemas.Market: &s.Market, schemas.PrivateMarket: &s.PrivateMarket,
	}[name]
}

// besideOf is the component that another one stands beside.
var besideOf = map[string]string{schemas.Private: schemas.Places, schemas.Market: schemas.Places, schemas.PrivateMarket: schemas.Private}

// Dropped is a component that is published, and that a release of the folder does not take over.
type Dropped struct {
	schemas.ComponentRef
	Why string
}

// Named is the set of the release in a folder, which is a path, or a name in the folder of releases. Of the other components
// it has those of given; the private places in NAME-private, if there are any; and what is published of those that stand
// beside the same places. What is published and does not is dropped.
func (f *Folder) Named(name string, given Set) (set Set, dropped []Dropped, err error) {
	set = given
	set.Places = name
	for _, member := range schemas.Components {
		if at := set.folder(member); *at != "" {
			*at = f.resolve(*at)
		}
	}
	if private := filepath.Clean(set.Places) + "-private"; set.Private == "" {
		if _, err := os.Stat(private); err == nil {
			set.Private = private
		}
	}
	digests := map[string]string{} // of the components in set
	for _, member := range schemas.Components {
		at := set.folder(member)
		if *at == "" && f.current != nil {
			published, found := f.current.Component(member)
			if !found {
				continue
			}
			if why := f.notBeside(published, digests[besideOf[member]]); why != "" {
				dropped = append(dropped, Dropped{published, why})
				continue
			}
			*at = f.Path(published)
		}
		if *at != "" {
			c, err := describe(member, *at)
			if err != nil {
				return set, nil, err
			}
			digests[member] = c.ref.Digest
		}
	}
	return set, dropped, nil
}

// resolve is a folder by its name in the folder of releases, or by its path.
func (f *Folder) resolve(name string) string {
	if filepath.IsLocal(name) {
		inside := filepath.Join(f.dir, name)
		if _, err := os.Stat(inside); err == nil {
			return inside
		}
	}
	return name
}

// notBeside is why a published component cannot stand beside the one with a digest; "": it can.
func (f *Folder) notBeside(published schemas.ComponentRef, digest string) string {
	c, err := describe(published.Name, f.Path(published))
	switch {
	case err != nil:
		return err.Error()
	case c.ref.Digest != published.Digest:
		return "its folder has other content by now"
	case c.beside != digest:
		return "it stands beside other " + besideOf[published.Name]
	}
	return ""
}

// Refer makes a pointer to the components of a set, without a generation. Their folders must be below that of the releases.
// It fails with ErrBeside where one was made for others than it would be published with, and ErrIncomplete where a file of
// one that is not published yet is missing or damaged.
func (f *Folder) Refer(set Set) (*schemas.Pointer, error) {
	p := &schemas.Pointer{Schema: schemas.PointerSchema}
	for _, name := range schemas.Components {
		folder := *set.folder(name)
		if folder == "" {
			continue
		}
		c, err := describe(name, folder)
		if err != nil {
			return nil, err
		}
		if other := besideOf[name]; other != "" {
			if base, _ := p.Component(other); c.beside != base.Digest {
				return nil, fmt.Errorf("%w: %s is of the %s %.12s, not %.12s", ErrBeside, folder, other, c.beside, base.Digest)
			}
		}
		if c.ref.Folder, err = f.relative(folder); err != nil {
			return nil, err
		}
		p.Components = append(p.Components, c.ref)
		if f.current != nil {
			if published, _ := f.current.Component(name); published == c.ref {
				continue
			}
		}
		if err := checkFiles(folder, c.files); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// component is what the manifest of a component says.
type component struct {
	ref    schemas.ComponentRef // without folder
	beside string               // digest of the component that it stands beside; "" for places
	files  []schemas.ReleaseFile
}

// describe reads what the manifest of a component of any layout says.
func describe(name, folder string) (c component, err error) {
	h, err := schemas.ReadHead(folder)
	if err == nil && h.Component != name {
		err = fmt.Errorf("%s is a component %s, not %s", folder, h.Component, name)
	}
	if err != nil {
		return component{ref: schemas.ComponentRef{Name: name}}, err
	}
	return component{schemas.ComponentRef{Name: name, Digest: h.Digest, AsOf: h.AsOf}, h.Places, h.Files}, nil
}

// relative is the path of a folder below that of the releases.
func (f *Folder) relative(folder string) (string, error) {
	base, err := filepath.Abs(f.dir)
	if err != nil {
		return "", err
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return "", err
	}
	relative, err := filepath.Rel(base, folder)
	if err != nil || !filepath.IsLocal(relative) || relative == "." {
		return "", fmt.Errorf("%s is not below the folder of releases %s", folder, f.dir)
	}
	return filepath.ToSlash(relative), nil
}

// WithMarketHint adds to the error of gates how the market statistics are had that stand beside other places than the next ones.
func WithMarketHint(err error, dir string, set Set, dropped []Dropped) error {
	for _, d := range dropped {
		places, flag := set.Places, "--market"
		switch d.Name {
		case schemas.PrivateMarket:
			places, flag = set.Private, "--private-market"
		case schemas.Market:
		default:
			continue
		}
		out := filepath.Join(dir, filepath.Base(places)+"-market-"+d.AsOf)
		err = fmt.Errorf("%w\nthe market statistics of %s in %s stand beside other places; compute them for these and publish both:\n"+
			"  quartier market --release %s --listings LISTINGS --work WORK --as-of %s --out %s\n  and this command again with %s %s",
			err, d.AsOf, d.Folder, Word(places), d.AsOf, Word(out), flag, Word(out))
	}
	return err
}

// WithDiff adds to an error, if there is one, the command that makes a page, named like the newer release, of what differs.
func WithDiff(err error, older, newer, name string) error {
	if err == nil || older == newer {
		return err
	}
	return fmt.Errorf("%w\nwhat differs: quartier diff --html %s %s %s", err, Word(filepath.Base(name)+".html"), Word(older), Word(newer))
}

// Word is a text as one word of a shell's command.
func Word(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-:=,@+", r)
	}
	if text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !plain(r) }) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
