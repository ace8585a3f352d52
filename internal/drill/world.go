package drill

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing/fstest"

	"quartier/serve/servetest"
)

// written are the worlds of this process, by what is in them: hundreds of tests begin with the same.
var written sync.Map // string → func() (fstest.MapFS, error)

// WriteWorld writes all components of a release below root and publishes them: places, market and, if there are private
// geographies, those and their market.
func WriteWorld(root string, content servetest.Release, private []servetest.PrivatePlace) error {
	if len(private) > 1000 || content.Outline > 1000 || content.POIs > 1000 { // too large to keep
		return writeWorld(root, content, private)
	}
	read, _ := written.LoadOrStore(fmt.Sprintf("%#v %#v", content, private), sync.OnceValues(func() (fstest.MapFS, error) {
		return worldInMemory(content, private)
	}))
	world, err := read.(func() (fstest.MapFS, error))()
	if err != nil {
		return err
	}
	return os.CopyFS(root, world)
}

// worldInMemory has the files that writeWorld writes.
func worldInMemory(content servetest.Release, private []servetest.PrivatePlace) (fstest.MapFS, error) {
	dir, err := os.MkdirTemp("", "quartier-world-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := writeWorld(dir, content, private); err != nil {
		return nil, err
	}
	world := fstest.MapFS{}
	return world, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		world[filepath.ToSlash(name)] = &fstest.MapFile{Data: data, Mode: 0o644}
		return err
	})
}

func writeWorld(root string, content servetest.Release, private []servetest.PrivatePlace) error {
	places := filepath.Join(root, "places")
	if _, err := servetest.Write(places, content); err != nil {
		return err
	}
	if _, err := servetest.WriteMarket(filepath.Join(root, "market"), places, servetest.Market{Sparse: content.Sparse}); err != nil {
		return err
	}
	if len(private) == 0 {
		return servetest.Publish(root, 1, "places", "market")
	}
	if _, err := servetest.WritePrivate(filepath.Join(root, "private"), places, private); err != nil {
		return err
	}
	market := servetest.Market{Sparse: content.Sparse || len(private) > 1000}
	if _, err := servetest.WriteMarket(filepath.Join(root, "private-market"), filepath.Join(root, "private"), market); err != nil {
		return err
	}
	return servetest.Publish(root, 1, "places", "private", "market", "private-market")
}
