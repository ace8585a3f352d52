// Package sourcetest is the conformance suite of the kinds of sources. A kind calls it from its own test:
//
//	func TestConformance(t *testing.T) {
//		sourcetest.Run(t, places.Kind,
//			sourcetest.Case{
//				Name:    "libraries of Ottawa",
//				Path:    testenv.Data("ca-ottawa/open-data/libraries_raw.csv"),
//				Options: "category: libraries\nname: NAME\nname_fr: NAME_FR",
//				Rows:    map[string]string{"SELECT count(*), min(name) FROM poi": "33|Alta Vista"},
//				Issues:  map[string]int64{"missing_name": 1},
//			},
//		)
//	}
//
// Each case is one file in a publisher's format, with rows that it must give and the issues that must be counted. The
// suite derives the other checks from it: staging twice, once with one processor, gives the same rows in the same order;
// truncated, empty and missing files give an error that names the file; a cancelled stage returns the context's error;
// an unknown option is refused; Check finds no fault in the case, and several at once; no goroutine is left. Once for each kind it checks
// that Info is complete and that the
// cases fill the tables of Info().Yields.
//
// A case whose file is real data (testenv.Data) is skipped if the file is missing.
//
// Tests of a kind outside of the suite can use Record, a sink that keeps rows without a database, Stage and Ask.
//
// To add a check for all kinds, add a function to rules.go and to the list in Run.
package sourcetest
