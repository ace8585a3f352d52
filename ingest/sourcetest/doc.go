// Package sourcetest is the conformance suite that every kind of source passes. A kind joins with one call from its
// own test:
//
//	func TestConformance(t *testing.T) {
//		sourcetest.Run(t, places.Kind{},
//			sourcetest.Case{
//				Name:    "libraries of Ottawa",
//				Path:    testenv.Data("ca-ottawa/open-data/libraries_raw.csv"),
//				Options: "category: libraries\nname: NAME\nname_fr: NAME_FR",
//				Rows:    map[string]string{"SELECT count(*), min(name) FROM poi": "33|Alta Vista"},
//				Issues:  map[string]int64{"rejected: no name": 1},
//			},
//		)
//	}
//
// Each case is one file in a publisher's real format, with the rows it must yield and the rows that must be counted by
// reason; a case with bad rows shows that they are. From it the suite derives the rest: the same rows in the same order
// and the same digest twice, with one processor too; a truncated, an empty and a missing file give an error that names
// the file; a cancelled stage stops with the context's error; an unknown option is refused; no goroutine stays behind.
// Once per kind it holds Info to be complete and true: what it says it yields is what the cases yield.
//
// A case whose file is real data (testenv.Data) is skipped where that file is absent.
//
// For what a kind tests beside the suite there are Record, a sink that keeps rows without a database, Stage and Ask.
//
// To extend the suite for all kinds, add a function of the form of those in rules.go to the list in Run.
package sourcetest
