package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"runtime/debug"
	"slices"
	"strconv"

	module "quartier"
	"quartier/ingest"
	"quartier/internal/code"
	"quartier/internal/spatialite"
	"quartier/internal/stamp"
)

// Sources are those of this program; tests change them.
var Sources fs.FS = module.Sources

// The packages that the stages consist of, with all that they import.
const (
	ingestCode    = "ingest"
	lendCode      = "transform/lend"
	transformCode = "transform"
	buildCode     = "build"
)

// readCode reads what the code of each stage is.
func (p *Build) readCode(ctx context.Context) error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("the program was compiled without the versions of its modules")
	}
	program, err := code.Read(Sources, module.Path, info)
	if err != nil {
		return err
	}
	var native stamp.Inputs // code that is not in Sources
	kernel, err := spatialite.NewKernel()
	if err != nil {
		return err
	}
	library, geos, proj, err := kernel.Version()
	if err = errors.Join(err, kernel.Close()); err != nil {
		return err
	}
	native = append(native, stamp.Of("mod_spatialite", library, geos, proj))
	if code.Local(info) {
		digest, err := programDigest(ctx)
		if err != nil {
			return err
		}
		native = append(native, stamp.Of("program with modules from folders", digest))
	}
	p.code = map[string]stamp.Inputs{}
	for _, stage := range []string{ingestCode, lendCode, transformCode, buildCode} {
		in, err := program.Of(stage)
		if err != nil {
			return err
		}
		p.code[stage] = append(in, native...)
	}
	return nil
}

// stagingInputs is everything that the staged tables of a region depend on: code, the content of the region file and of
// the source files, but not their paths.
func (p *Build) stagingInputs(region *ingest.Region) stamp.Inputs {
	in := append(slices.Clone(p.code[ingestCode]), stamp.Of("region "+region.Name, region.Title, region.Country, region.State))
	for i := range region.Sources {
		s := &region.Sources[i]
		in = append(in, stamp.Of("file of source "+s.ID, p.planned[region][i].SHA256),
			stamp.Of("options of source "+s.ID, s.Describe(), strconv.Itoa(i)))
	}
	return in
}

// lendingInputs is everything that the rows lent to a region depend on.
func (p *Build) lendingInputs(r *plannedRegion, all []*plannedRegion) stamp.Inputs {
	in := append(slices.Clone(p.code[lendCode]), r.staged)
	for _, other := range all {
		if other != r {
			in = append(in, other.staged)
		}
	}
	return in
}

// derivingInputs is everything that the derived tables of a region depend on; lent is the digest of the rows lent to it.
func (p *Build) derivingInputs(r *plannedRegion, lent string) stamp.Inputs {
	return append(slices.Clone(p.code[transformCode]), r.staged, stamp.Of("rows lent by other regions", lent))
}

// buildInputs is everything that the release depends on, besides what is in the options of a build.
func (p *Build) buildInputs(regions []*plannedRegion) stamp.Inputs {
	in := slices.Clone(p.code[buildCode])
	for _, r := range regions {
		in = append(in, r.staged, stamp.Of("derived tables of "+r.region.Name, r.derive.inputs.Digest()))
	}
	return in
}
