package sqlrow

import "database/sql"

// visitor is a function for rows that scans each into the targets before it calls visit.
func visitor(visit func() error, targets ...any) func(*sql.Rows) error {
	return func(rows *sql.Rows) error {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		return visit()
	}
}

// Visit2 is a function for the rows of a query that calls visit with their two columns; Visit3, Visit4 and Visit5 are those of
// more. A column of type sql.RawBytes is valid until visit returns.
func Visit2[A, B any](visit func(A, B) error) func(*sql.Rows) error {
	var a A
	var b B
	return visitor(func() error { return visit(a, b) }, &a, &b)
}

// Visit3 is Visit2 for three columns.
func Visit3[A, B, C any](visit func(A, B, C) error) func(*sql.Rows) error {
	var a A
	var b B
	var c C
	return visitor(func() error { return visit(a, b, c) }, &a, &b, &c)
}

// Visit4 is Visit2 for four columns.
func Visit4[A, B, C, D any](visit func(A, B, C, D) error) func(*sql.Rows) error {
	var a A
	var b B
	var c C
	var d D
	return visitor(func() error { return visit(a, b, c, d) }, &a, &b, &c, &d)
}

// Visit5 is Visit2 for five columns.
func Visit5[A, B, C, D, E any](visit func(A, B, C, D, E) error) func(*sql.Rows) error {
	var a A
	var b B
	var c C
	var d D
	var e E
	return visitor(func() error { return visit(a, b, c, d, e) }, &a, &b, &c, &d, &e)
}
