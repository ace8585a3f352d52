package region

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"quartier/ingest"
	"quartier/ingest/draft"
	"quartier/ingest/regionfile"
)

func draftCommand() *cli.Command {
	return &cli.Command{
		Name:      "draft",
		Usage:     "write a region file from the files that you have: what each is, how its columns are read, and what is not sure",
		ArgsUsage: "FOLDER",
		Description: "Files are recognised by what they contain. What is not sure is a comment that ends in a question mark, in the block of\n" +
			"the source; what a build would refuse is a comment. The folder stays as it is.",
		Flags: []cli.Flag{&cli.StringFlag{Name: "out", Usage: "region `FILE` to write, which must not exist", Required: true}},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usage(errors.New("give one folder"))
			}
			folder, out := c.Args().First(), c.String("out")
			if info, err := os.Stat(folder); err != nil || !info.IsDir() {
				return usage(fmt.Errorf("%s is not a folder", folder))
			}
			if _, err := os.Lstat(out); err == nil {
				return usage(fmt.Errorf("%s exists; remove it, or give another --out", out))
			}
			d, err := draft.Of(c.Context, folder)
			if err != nil {
				return err
			}
			if err := writeDraft(c, d, out); err != nil {
				return err
			}
			return reportDraft(c, out, d)
		},
	}
}

// writeDraft writes the draft without what a build refuses.
func writeDraft(c *cli.Context, d *draft.Draft, out string) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	trial := filepath.Join(filepath.Dir(out), "."+filepath.Base(out)+".part")
	defer os.Remove(trial)
	err = d.Repair(c.Context, trial, func() error {
		file, err := os.Create(trial)
		if err != nil {
			return err
		}
		return errors.Join(d.Write(file, filepath.Dir(out)), file.Close())
	})
	if err != nil {
		return err
	}
	return WriteNew(out, func(w io.Writer) error { return d.Write(w, filepath.Dir(out)) })
}

// reportDraft says what was made.
func reportDraft(c *cli.Context, out string, d *draft.Draft) error {
	region, err := ingest.ReadRegion(out, func(string) (string, bool) { return "", false }, "")
	if err != nil {
		return err
	}
	if err := regionfile.WriteReport(c.App.Writer, regionfile.ItemsOf(region), nil); err != nil {
		return err
	}
	questions, off := 0, 0
	for _, s := range d.Sources {
		if questions += len(s.Doubts); s.Off != "" {
			off++
		}
	}
	_, err = fmt.Fprintf(c.App.Writer, "\n%[1]s is written, with %[2]d questions (comments that end in ?), %[3]d sources as comments, "+
		"and %[4]d files that are no source.\nNext: answer them, then quartier build --region %[1]s --out out/%[5]s\n",
		out, questions, off, len(d.Unknown), d.Name)
	return err
}
