package stepping

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"quartier/cmd/quartier/pipeline"
	"quartier/internal/plan/engines"
)

// engineFlags say for which engine step plan writes a document, and with what its jobs run.
func engineFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "as", Usage: "print a document for `ENGINE`: " + strings.Join(engines.Names, ", ")},
		&cli.StringFlag{Name: "program", Usage: "`NAME` or path of quartier where the engine runs it", Value: "quartier"},
		&cli.StringFlag{Name: "image", Usage: "`IMAGE` of containers with that program and sh, for argo and kubernetes"},
		&cli.StringFlag{Name: "volume", Usage: "`CLAIM:/FOLDER` that containers mount and work in, for argo and kubernetes"},
	}
}

// printEngine prints the steps as a document for the engine of --as. Its jobs get the flags of what is built as they were given.
func printEngine(to io.Writer, c *cli.Context, flags []cli.Flag, parts []pipeline.Part) error {
	if !c.IsSet("release") {
		return fmt.Errorf("%w: --as: a document is of a release file; give one by --release", ErrUsage)
	}
	p := engines.Plan{Release: c.String("release"), Work: c.String("work"), Program: c.String("program"), Image: c.String("image"),
		Volume: c.String("volume")}
	for _, flag := range flags {
		name := flag.Names()[0]
		if name == "release" || !c.IsSet(name) {
			continue
		}
		values := []string{c.String(name)}
		if _, several := flag.(*cli.StringSliceFlag); several {
			values = c.StringSlice(name)
		}
		for _, value := range values {
			p.Arguments = append(p.Arguments, "--"+name, value)
		}
	}
	for i := range parts {
		p.Steps = append(p.Steps, parts[i].Step)
	}
	if err := engines.Write(to, c.String("as"), p); err != nil {
		return fmt.Errorf("%w: --as: %w", ErrUsage, err)
	}
	return nil
}
