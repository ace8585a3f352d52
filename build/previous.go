package build

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/geo"
	"quartier/internal/spatialite"
	"quartier/schemas"
)

// previous is the release whose ids this one goes on from; nil where there is none.
type previous struct {
	manifest *schemas.Manifest
	dir      string
	db       *sql.DB // its geographies.sqlite
}

// path is where a file of the release lies.
func (p *previous) path(name string) string { return filepath.Join(p.dir, name) }

// openPrevious opens the release in dir, nil where dir is ”. The files that are read must be those that the manifest
// names, to the byte.
func openPrevious(ctx context.Context, dir string) (*previous, error) {
	if dir == "" {
		return nil, nil
	}
	m, err := schemas.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	p := &previous{manifest: m, dir: dir}
	for _, name := range []string{schemas.GeographiesFile, schemas.AccessFile, schemas.DemographicsFile} {
		if err := p.checkFile(ctx, name); err != nil {
			return nil, err
		}
	}
	if p.db, err = released.Open(p.path(schemas.GeographiesFile)); err != nil {
		return nil, err
	}
	return p, nil
}

// checkFile reads a file in full and compares it with the manifest.
func (p *previous) checkFile(ctx context.Context, name string) error {
	want, ok := p.manifest.File(name)
	if !ok {
		return fmt.Errorf("%s names no %s", schemas.ManifestFile, name)
	}
	sum, size, err := hashFile(ctx, p.path(name))
	if err != nil {
		return err
	}
	if sum != want.SHA256 || size != want.Bytes {
		return fmt.Errorf("%s is not the file that its manifest names", p.path(name))
	}
	return nil
}

// fill fills f while a file of the release is known to it as previous; where there is no release, f alone.
func (p *previous) fill(f *spatialFile, name string, load func(*sql.Tx) error) error {
	if p == nil {
		return f.fill(load)
	}
	absolute, err := filepath.Abs(p.path(name))
	if err != nil {
		return err
	}
	dsn := url.URL{Scheme: "file", Path: absolute, RawQuery: "mode=ro&immutable=1"}
	if _, err := f.db.Exec("ATTACH ? AS previous", dsn.String()); err != nil {
		return fmt.Errorf("attach previous release: %w", err)
	}
	if err := f.fill(load); err != nil {
		return err
	}
	_, err = f.db.Exec("DETACH previous")
	return err
}

// Close lets go of the release.
func (p *previous) Close() error {
	if p == nil {
		return nil
	}
	return p.db.Close()
}

// history reads the ids of the previous release; it is empty where there is none.
func (p *previous) history() (history, error) {
	if p == nil {
		return history{}, nil
	}
	return readHistory(p.db, p.manifest.Digest)
}

// succeed gives the places their ids, following those of the previous release.
func (p *previous) succeed(ctx context.Context, release string, a *assembly, list []place) (*identities, error) {
	past, err := p.history()
	if err != nil {
		return nil, fmt.Errorf("previous release: %w", err)
	}
	now := make([]outline, len(list))
	for i := range list {
		now[i] = list[i].outline
	}
	var m meter
	if p != nil {
		kernel, err := spatialite.NewKernel()
		if err != nil {
			return nil, err
		}
		defer kernel.Close()
		m = &outlineMeter{kernel: kernel, outlines: a.outlines, db: p.db, past: past}
	}
	s, err := follow(ctx, past.Current, now, m)
	if err != nil {
		return nil, err
	}
	return identify(ctx, release, past, s, m)
}

// outlineMeter measures outlines of the previous release against picked ones with GEOS. Pairs come by old outline, so
// it holds one of them.
type outlineMeter struct {
	*outlines
	kernel *spatialite.Kernel
	db     *sql.DB // geographies.sqlite of the previous release
	past   history // what is in it
	id     string  // of the old outline held, '': none
	held   orb.MultiPolygon
}

func (m *outlineMeter) pair(ctx context.Context, id string, new int) (was, is orb.MultiPolygon, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if m.id != id {
		m.id = ""
		if m.held, err = readOutline(m.db, id); err != nil {
			return nil, nil, err
		}
		m.id = id
	}
	is, err = m.outline(new + 1)
	return m.held, is, err
}

// Shared implements meter.
func (m *outlineMeter) Shared(ctx context.Context, old, new int) (float64, error) {
	was, is, err := m.pair(ctx, m.past.Current[old].ID, new)
	if err != nil {
		return 0, err
	}
	both, err := m.kernel.Intersection(was, is)
	if err != nil {
		return 0, err
	}
	return geo.Area(both), nil
}

// Farthest implements meter.
func (m *outlineMeter) Farthest(ctx context.Context, old, new int) (float64, error) {
	was, is, err := m.pair(ctx, m.past.Current[old].ID, new)
	if err != nil {
		return 0, err
	}
	overlap, err := m.kernel.Compare(was, is)
	return overlap.HausdorffM, err
}

// Covered implements meter.
func (m *outlineMeter) Covered(ctx context.Context, superseded, new int) (float64, error) {
	was, is, err := m.pair(ctx, m.past.Superseded[superseded].ID, new)
	if err != nil {
		return 0, err
	}
	both, err := m.kernel.Intersection(was, is)
	if err != nil {
		return 0, err
	}
	return geo.Area(both) / geo.Area(was), nil
}
