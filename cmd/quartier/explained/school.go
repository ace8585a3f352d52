package explained

import (
	"fmt"
	"io"

	"quartier/build/explain"
)

// School writes the explanation of a school for people.
func School(w io.Writer, r *explain.SchoolReport) error {
	fmt.Fprintf(w, "School %s at %.5f, %.5f in region %s of release %s as of %s\n", r.Key, r.Point.Lat, r.Point.Lng, r.Region, r.Release.Name,
		r.Release.AsOf)
	for _, f := range r.Fields {
		Text(w, "", plainWords(f.Name), f.Value)
	}
	fmt.Fprintln(w, "\nRecords")
	printRecords(w, r.Records)
	if r.Rating != nil {
		fmt.Fprintln(w, "\nRating")
		printRecords(w, []explain.SchoolRecord{*r.Rating})
	}
	fmt.Fprintln(w, "\nCatchments")
	printAreas(w, r.Catchments)
	fmt.Fprintln(w, "\nOther schools within 500 m")
	printOthers(w, r.Others)
	fmt.Fprintln(w, "\nSources")
	for _, source := range r.Sources {
		Text(w, "", source.ID, fmt.Sprintf("%s as of %s, %s, %s (sha256 %.12s…)", source.Path, source.AsOf, source.Licence, source.Attribution,
			source.SHA256))
	}
	return nil
}

func printRecords(w io.Writer, records []explain.SchoolRecord) {
	var rows [][]string
	for _, r := range records {
		row := []string{r.SourceID + " " + r.SourceKey, named(r.Name), "", "", r.Meaning}
		if r.M != nil {
			row[2] = fmt.Sprintf("%.0f", *r.M)
		}
		if r.Similarity != nil {
			row[3] = fmt.Sprintf("%.2f", *r.Similarity)
		}
		rows = append(rows, row)
	}
	Columns(w, "", []string{"record", "name", ">metres", ">similarity", "because"}, rows)
}

func printAreas(w io.Writer, areas []explain.SchoolArea) {
	if len(areas) == 0 {
		fmt.Fprintln(w, "  none")
		return
	}
	var rows [][]string
	for _, a := range areas {
		stands := "outside"
		if a.Inside {
			stands = "inside"
		}
		rows = append(rows, []string{a.SourceID + " " + a.SourceKey, a.Level, a.Program, a.Grade, fmt.Sprintf("%.2f", a.AreaKM2), stands,
			plainWords(a.JoinedBy)})
	}
	Columns(w, "", []string{"outline", "level", "program", "grade", ">km²", "school", "joined by"}, rows)
}

func printOthers(w io.Writer, others []explain.OtherSchool) {
	if len(others) == 0 {
		fmt.Fprintln(w, "  none")
		return
	}
	var rows [][]string
	for _, o := range others {
		rows = append(rows, []string{o.Key, o.Name, o.Levels, o.Grades, fmt.Sprintf("%.0f", o.M)})
	}
	Columns(w, "", []string{"school", "name", "levels", "grades", ">metres"}, rows)
}
