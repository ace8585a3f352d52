package summary

import (
	"fmt"
	"io"
	"text/tabwriter"

	"quartier/build/export"
)

// Export prints the files of an export in a folder.
func Export(out io.Writer, files []export.File, folder string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "rows\tkB\t  file\t")
	for _, f := range files {
		fmt.Fprintf(w, "%d\t%d\t  %s\t\n", f.Rows, (f.Bytes+1023)/1024, f.Name)
	}
	fmt.Fprintf(w, "\t\t  %s\t\n", export.CatalogFile)
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%d files in %s\n", len(files)+1, folder)
	return err
}
