// Package private builds the component private of a release: the custom geographies of customers, with every product that
// geographies of the release have. It does what the steps of a release do, for these geographies alone, beside the finished
// release, which it does not change:
//
//	requests   the boundaries of a requests file; those that cannot be built are left out, with the reason
//	place      state, city and metro area of each, in the geographies of the regions
//	identity   ids that continue the previous component: the same outline keeps its id, another one is its next version
//	…          files, scores, demographics, facts, texts and packs as in a release
//
// What is in requests is not logged, but for their ids.
package private

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"

	"quartier/build/assembly"
	"quartier/build/files"
	"quartier/build/homes"
	"quartier/build/identity"
	"quartier/build/previous"
	"quartier/build/released"
	"quartier/build/scores"
	"quartier/build/verify"
	"quartier/internal/geo"
	"quartier/internal/pack"
	"quartier/internal/pack/smallareas"
	"quartier/schemas"
	"quartier/schemas/release"
	"quartier/schemas/staged"
)

// Options are what a component is made of.
type Options struct {
	Regions     []assembly.Region // of the release
	Assembly    string            // path of the rows of the regions, see assembly.Create
	Places      string            // folder of the component places beside which the component stands, made of the regions
	Requests    *schemas.Requests // in any order
	SHA256      string            // of the requests file
	Bytes       int64             // of it
	Previous    string            // folder of the component private that is continued; "": none
	ToolVersion string            // of the program, for the manifest
	Log         *slog.Logger
	// Faults finds the geographies of a written component that do not verify; nil: verify.PrivateFaults.
	Faults func(ctx context.Context, dir string) (verify.Faults, error)
}

// ErrPrevious is returned where requests do not continue the previous component.
var ErrPrevious = errors.New("the requests do not continue the previous component private")

// builder is a component under way.
type builder struct {
	Options
	scratch string
	places  *schemas.Manifest
	last    *previous.Release
	past    identity.History // of last
	rows    *assembly.Assembly
	public  []assembly.Geography // of the regions
	lived   *homes.Index
	hulls   assembly.Hulls
	pack    *pack.File
	areas   *smallareas.Table

	unverified map[string]string // by id of the request: why its geography did not verify

	requests []*request // by id
	byKey    map[string]*request
	r        *files.Release
	notes    []string
}

func (b *builder) close() {
	b.lived.Close()
	b.rows.Close()
	b.last.Close()
	if b.pack != nil {
		b.pack.Close()
	}
}

// build runs the steps.
func (b *builder) build(ctx context.Context) error {
	for _, s := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"open release", b.open},
		{"read regions", b.readRegions},
		{"locate requests", b.locate},
		{"identify custom geographies", b.identify},
		{"write geographies", b.writeGeographies},
		{"compute scores", b.writeScores},
		{"write demographics", b.writeDemographics},
		{"write profiles", b.writeProfiles},
		{"write packs", b.writePacks},
		{"write manifest", b.writeManifest},
	} {
		err := ctx.Err()
		if err == nil {
			err = s.do(ctx)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		b.Log.Info(s.name, "component", schemas.Private)
	}
	return nil
}

// Check returns an error for requests that do not continue the component private in a folder; "": there is none.
func Check(ctx context.Context, requests *schemas.Requests, previous string) error {
	b := &builder{Options: Options{Requests: requests, Previous: previous}, r: &files.Release{}}
	defer b.close()
	return b.openRequests(ctx)
}

// open opens the release, and the previous component.
func (b *builder) open(ctx context.Context) (err error) {
	if b.places, err = schemas.ReadManifest(b.Places); err != nil {
		return err
	}
	if err := b.openRequests(ctx); err != nil {
		return err
	}
	if b.pack, err = pack.Open(filepath.Join(b.Places, schemas.SmallAreasPack)); err != nil {
		return err
	}
	b.areas, err = smallareas.Open(b.pack)
	return err
}

// openRequests opens the previous component, and checks that the requests continue it.
func (b *builder) openRequests(ctx context.Context) (err error) {
	if err := b.Requests.Check(); err != nil {
		return err
	}
	for i := range b.Requests.Requests {
		q := &request{Request: &b.Requests.Requests[i], position: i}
		if why, found := b.unverified[q.ID]; found {
			q.refuse(unverified, "It does not verify: %s.", why)
		}
		b.requests = append(b.requests, q)
	}
	slices.SortFunc(b.requests, func(p, q *request) int { return cmp.Compare(p.ID, q.ID) })
	b.byKey = make(map[string]*request, len(b.requests))
	for _, q := range b.requests {
		b.byKey[files.CustomKey(q.ID)] = q
	}
	if b.last, err = previous.Open(ctx, b.Previous, schemas.Private); err != nil {
		return err
	}
	b.r.Previous = b.last
	if b.past, err = b.last.History(ctx); err != nil {
		return err
	}
	return b.checkContinued()
}

// readRegions reads what the regions have: geographies, and where people live.
func (b *builder) readRegions(ctx context.Context) (err error) {
	if b.rows, err = assembly.Open(ctx, b.Assembly, b.scratch, b.Regions); err != nil {
		return err
	}
	if b.public, err = b.rows.Geographies(ctx); err != nil {
		return err
	}
	if b.lived, b.hulls, err = homes.Read(ctx, b.rows, b.scratch); err != nil {
		return err
	}
	b.r.Outlines = b.rows.Outlines.From(len(b.public))
	b.r.Parents, err = b.publicIDs(ctx)
	return err
}

// locate makes geographies of the requests that can be built, along a Hilbert curve of their centroids.
func (b *builder) locate(ctx context.Context) error {
	if err := b.describe(ctx); err != nil {
		return err
	}
	var built []*request
	for _, q := range b.requests {
		switch {
		case q.problem != "":
			b.Log.Warn("request cannot be built", "geo_entity_id", q.ID, "reason", q.why.Code)
		case q.Action != schemas.DeprecateRequest:
			built = append(built, q)
		}
	}
	slices.SortFunc(built, func(p, q *request) int {
		return cmp.Or(cmp.Compare(geo.Hilbert(p.geography.Centroid), geo.Hilbert(q.geography.Centroid)), cmp.Compare(p.ID, q.ID))
	})
	for _, q := range built {
		digest, err := b.rows.Outlines.Append(q.outline)
		if err != nil {
			return fmt.Errorf("request %s: %w", q.ID, err)
		}
		q.geography.Digest = digest
		b.r.Geographies = append(b.r.Geographies, q.geography)
		q.outline = nil
	}
	return nil
}

// writeGeographies writes geographies.sqlite and private.sqlite.
func (b *builder) writeGeographies(ctx context.Context) error {
	var err error
	if b.r.Provenance, err = b.provenance(ctx); err != nil {
		return err
	}
	if err := files.WriteGeographies(ctx, b.r); err != nil {
		return err
	}
	rows := make([]release.CustomRequest, len(b.requests))
	for i, q := range b.requests {
		rows[i] = q.row()
	}
	names, err := b.openNames()
	if err != nil {
		return err
	}
	defer names.close()
	return files.WritePrivate(ctx, b.r, rows, names.of)
}

// provenance is the sources of the release and the requests file, which is a source of each region, and how many requests
// cannot be built.
func (b *builder) provenance(ctx context.Context) (released.Provenance, error) {
	p, err := b.rows.Provenance(ctx)
	p.Release = release.Release{Name: b.places.Release, AsOf: b.Requests.AsOf, ToolVersion: b.ToolVersion, Previous: b.last.Digest()}
	n := int64(len(b.requests))
	for i, region := range b.Regions {
		p.Sources = append(p.Sources, release.Source{Region: region.Name, Source: staged.Source{
			SourceID: released.RequestsSource, Priority: int32(len(p.Sources) + i), Kind: released.RequestsSource, Path: "requests.json",
			SHA256: b.SHA256, Bytes: b.Bytes, AsOf: b.Requests.AsOf, RowsRead: n, RowsStaged: n,
		}})
	}
	p.Issues = b.issues()
	return p, err
}

// writeScores writes access.sqlite, with the scores of the geographies alone.
func (b *builder) writeScores(ctx context.Context) error {
	scored, notes, err := scores.Compute(ctx, b.r.Outlines, b.lived, b.hulls, b.r.Geographies)
	if err != nil {
		return err
	}
	b.notes = append(b.notes, notes...)
	_, err = files.WriteAccess(ctx, b.r, scored)
	return err
}
