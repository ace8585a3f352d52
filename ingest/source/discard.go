package source

import "quartier/schemas/reason"

// Discard is a Sink that drops everything, for Kind.Check.
type Discard struct{}

// Row drops a row.
func (Discard) Row(Row) error { return nil }

// Part begins nothing.
func (Discard) Part(string) {}

// Read counts nothing.
func (Discard) Read(int) {}

// Issue counts nothing.
func (Discard) Issue(reason.Reason, string) {}
