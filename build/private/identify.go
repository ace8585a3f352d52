package private

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"quartier/build/assembly"
	"quartier/build/files"
	"quartier/build/identity"
	"quartier/build/released"
	"quartier/internal/sqlrow"
	"quartier/schemas"
)

// checkContinued returns an error for a geography of the previous component without a request: the file has all that were ever
// published.
func (b *builder) checkContinued() error {
	var missing []string
	note := func(key string) {
		if id := strings.TrimPrefix(key, files.CustomKey("")); b.byKey[key] == nil && !slices.Contains(missing, id) {
			missing = append(missing, id)
		}
	}
	for _, o := range b.past.Current {
		note(o.Key)
	}
	for _, s := range b.past.Superseded {
		note(s.Key)
	}
	if len(missing) == 0 {
		return nil
	}
	slices.Sort(missing)
	return fmt.Errorf("%w: the requests file lacks %d of its requests: %s", ErrPrevious, len(missing), list(missing))
}

// list is the first ids of some.
func list(ids []string) string {
	const most = 10
	if len(ids) > most {
		return strings.Join(ids[:most], ", ") + " …"
	}
	return strings.Join(ids, ", ")
}

// identify assigns the ids. What was published and cannot be built now stays as it was.
func (b *builder) identify(ctx context.Context) (err error) {
	stays := map[string]bool{}
	for _, o := range b.past.Current {
		if q := b.byKey[o.Key]; q.problem != "" && q.Action != schemas.DeprecateRequest {
			stays[o.Key] = true
			b.r.Kept = append(b.r.Kept, o.ID)
		}
	}
	if b.r.IDs, err = b.last.AssignByKey(ctx, b.places.Release, assembly.Identities(b.r.Geographies), stays, b.r.Outlines.Get); err != nil {
		return err
	}
	if err := b.checkUnique(ctx); err != nil {
		return err
	}
	for _, v := range b.r.IDs.Versions {
		b.byKey[v.Key].geogID = v.ID
	}
	last := map[string]int{} // boundary version
	for _, s := range b.r.IDs.Superseded {
		if q := b.byKey[s.Key]; q.Action == schemas.DeprecateRequest && s.Number > last[s.Key] {
			q.geogID, last[s.Key] = s.ID, s.Number
		}
	}
	return b.checkPublished()
}

// checkPublished returns an error for requests whose last publication is neither in the previous component nor what they get
// again: another component was published after it.
func (b *builder) checkPublished() error {
	known := map[string]bool{}
	for _, o := range b.past.Current {
		known[o.Key+" "+o.ID] = true
	}
	for _, s := range b.past.Superseded {
		known[s.Key+" "+s.ID] = true
	}
	var lost []string
	for _, q := range b.requests {
		if q.GeogID != "" && q.GeogID != q.geogID && !known[files.CustomKey(q.ID)+" "+q.GeogID] {
			lost = append(lost, q.ID+" as "+q.GeogID)
		}
		if q.Action == schemas.DeprecateRequest && q.geogID == "" {
			q.problem, q.why = "It was never published, so that there is nothing to deprecate.", neverPublished
		}
	}
	if len(lost) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %d requests were published with other ids than it has: %s", ErrPrevious, len(lost), list(lost))
}

// checkUnique returns an error where an id is that of a geography of the release, too.
func (b *builder) checkUnique(ctx context.Context) error {
	db, err := released.Open(filepath.Join(b.Places, schemas.GeographiesFile))
	if err != nil {
		return err
	}
	defer db.Close()
	find, err := db.PrepareContext(ctx,
		"SELECT EXISTS (SELECT 1 FROM geography WHERE geog_id = ?1) OR EXISTS (SELECT 1 FROM geography_superseded WHERE geog_id = ?1)")
	if err != nil {
		return err
	}
	defer find.Close()
	all := slices.Clone(b.r.IDs.Versions)
	for _, s := range b.r.IDs.Superseded {
		all = append(all, s.Version)
	}
	for _, o := range b.past.Current {
		if slices.Contains(b.r.Kept, o.ID) {
			all = append(all, o.Version)
		}
	}
	return unique(all, func(id string) (taken bool, err error) {
		err = find.QueryRowContext(ctx, id).Scan(&taken)
		return taken, err
	})
}

// unique returns an error for an id that is taken.
func unique(all []identity.Version, taken func(id string) (bool, error)) error {
	for _, v := range all {
		is, err := taken(v.ID)
		if err == nil && is {
			err = fmt.Errorf("geog_id %s of %s version %d collides with that of a geography of the release", v.ID, v.Key, v.Number)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// publicIDs returns the geog_ids of the geographies of the release by source key.
func (b *builder) publicIDs(ctx context.Context) (map[string]string, error) {
	db, err := released.Open(filepath.Join(b.Places, schemas.GeographiesFile))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	ids := make(map[string]string, len(b.public))
	err = released.Each(ctx, db, "SELECT source_key, geog_id FROM geography", nil, sqlrow.Visit2(func(key, id string) error {
		ids[key] = id
		return nil
	}))
	for i := range b.public {
		if key := b.public[i].Key; err == nil && ids[key] == "" {
			err = fmt.Errorf("%s is in the regions and not in the release %s", key, b.Places)
		}
	}
	return ids, err
}

// names finds the names of geographies of the release, and of earlier ones.
type names struct{ find []*sql.DB }

func (b *builder) openNames() (*names, error) {
	n := &names{}
	paths := []string{filepath.Join(b.Places, schemas.GeographiesFile)}
	if b.last != nil {
		paths = append(paths, b.last.Path(schemas.PrivateFile))
	}
	for _, path := range paths {
		db, err := released.Open(path)
		if err != nil {
			n.close()
			return nil, err
		}
		n.find = append(n.find, db)
	}
	return n, nil
}

func (n *names) close() {
	for _, db := range n.find {
		db.Close()
	}
}

// of is the name of a geography by geog_id.
func (n *names) of(id string) (name schemas.Text, err error) {
	for i, query := range []string{
		`SELECT name_en, name_fr FROM geography WHERE geog_id = ?1 UNION ALL SELECT name_en, name_fr FROM geography_superseded WHERE geog_id = ` +
			`?1`,
		`SELECT name_en, name_fr FROM parent WHERE geog_id = ?1`,
	}[:len(n.find)] {
		if err = n.find[i].QueryRow(query, id).Scan(&name.EN, &name.FR); err == nil {
			return name, nil
		}
	}
	return name, err
}
