package stepping

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"quartier/cmd/quartier/pipeline"
	"quartier/cmd/quartier/summary"
)

// printLines prints a line of JSON for each step.
func printLines(to io.Writer, parts []pipeline.Part) error {
	lines := json.NewEncoder(to)
	for i := range parts {
		if err := lines.Encode(&parts[i].Step); err != nil {
			return err
		}
	}
	return nil
}

// printTable prints a table of the steps, with how long they take on as many machines as can be used at once.
func printTable(to io.Writer, parts []pipeline.Part) error {
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "step\tminutes\tends at\tmemory\tdisk\t  class\t  needs\n")
	ends, total, last := map[string]float64{}, 0.0, 0.0
	for _, part := range parts {
		begins := 0.0
		for _, id := range part.Needs {
			begins = max(begins, ends[id])
		}
		ends[part.ID] = begins + part.Minutes
		total, last = total+part.Minutes, max(last, ends[part.ID])
		needs := strings.Join(part.Needs[:min(3, len(part.Needs))], " ")
		if more := len(part.Needs) - 3; more > 0 {
			needs += fmt.Sprintf(" and %d more", more)
		}
		fmt.Fprintf(table, "%s\t%.1f\t%.1f\t%s\t%s\t  %s\t  %s\n", part.ID, part.Minutes, ends[part.ID], summary.Bytes(part.Memory),
			summary.Bytes(part.Disk), part.Class, needs)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(to, "\n%d steps; about %.1f minutes one after the other, %.1f on as many machines as they can use\n",
		len(parts), total, last)
	return err
}
