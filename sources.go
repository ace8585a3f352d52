// Package quartier carries the sources of the stages that make releases, so that a program knows by which code its output
// was made; see internal/code.
package quartier

import "embed"

// Path is that of the module, of which Sources are folders.
const Path = "quartier"

// Sources are the folders of the packages that the stages consist of.
//
//go:embed build ingest internal schemas transform
var Sources embed.FS
