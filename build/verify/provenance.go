package verify

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"slices"

	"quartier/build/released"
	"quartier/schemas"
)

// checkProvenance compares the release, its sources and the issues of the SpatiaLite file of a name with the manifest.
func checkProvenance(ctx context.Context, db *sql.DB, name string, m *schemas.Manifest) error {
	p, err := released.ReadProvenance(ctx, db)
	if err != nil {
		return err
	}
	r := p.Release
	if r.Name != m.Release || r.AsOf != m.AsOf || r.ToolVersion != m.ToolVersion || r.Previous != m.Previous {
		return fmt.Errorf("is of release %s of %s by %s, the manifest is of %s of %s by %s",
			r.Name, r.AsOf, r.ToolVersion, m.Release, m.AsOf, m.ToolVersion)
	}
	if len(p.Sources) != len(m.Sources) {
		return fmt.Errorf("%d sources, the manifest has %d", len(p.Sources), len(m.Sources))
	}
	newest := ""
	for _, s := range p.ManifestSources() {
		if !slices.ContainsFunc(m.Sources, func(want schemas.ReleaseSource) bool { return equalSources(s, want) }) {
			return fmt.Errorf("source %s of region %s is not the one in the manifest", s.ID, s.Region)
		}
		if s.Kind != schemas.OutlinesKind {
			newest = max(newest, s.AsOf)
		}
	}
	if newest != m.AsOf {
		return fmt.Errorf("the newest source is of %s, the manifest is of %s", newest, m.AsOf)
	}
	steps, stated := p.ManifestSteps(), released.StepsIn(name, m.Steps)
	if len(steps) != len(stated) {
		return fmt.Errorf("%d issues of steps, the manifest has %d", len(steps), len(stated))
	}
	for _, s := range steps {
		if !slices.ContainsFunc(stated, func(want schemas.StepIssue) bool { return reflect.DeepEqual(s, want) }) {
			return fmt.Errorf("issue %s of step %s of region %s is not in the manifest", s.Code, s.Step, s.Region)
		}
	}
	return nil
}

func equalSources(a, b schemas.ReleaseSource) bool {
	if len(a.Issues) == 0 && len(b.Issues) == 0 { // DeepEqual distinguishes a nil list from an empty one
		a.Issues, b.Issues = nil, nil
	}
	return reflect.DeepEqual(a, b)
}
