package sourcetest

import (
	"context"
	"testing"

	"quartier/ingest/source"
	"quartier/ingest/staging"
	"quartier/schemas/reason"
)

// read runs the kind without a database, where its error is expected and not its rows, and returns the error of the kind. onRow,
// if not nil, is called before each row.
func read(ctx context.Context, t *testing.T, kind source.Kind, in source.Input, onRow func()) error {
	t.Helper()
	sink := unstaged{cancelled: ctx.Err, onRow: onRow, seen: map[reason.Reason]bool{}}
	err := kind.Stage(ctx, in, &sink)
	checkReasons(t, kind, sink.issues)
	return err
}

// unstaged is a sink that keeps no rows. Like those of databases it returns the error of its context.
type unstaged struct {
	cancelled func() error
	onRow     func()
	seen      map[reason.Reason]bool
	issues    []staging.Issue // one of each reason
}

func (u *unstaged) Row(source.Row) error {
	if u.onRow != nil {
		u.onRow()
	}
	return u.cancelled()
}

func (u *unstaged) Part(string) {}

func (u *unstaged) Read(int) {}

func (u *unstaged) Issue(why reason.Reason, where string) {
	if why = why.With(""); !u.seen[why] {
		u.seen[why] = true
		u.issues = append(u.issues, staging.Issue{Reason: why, Example: where})
	}
}
