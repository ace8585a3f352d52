package main

import (
	"fmt"
	"os"
	"path/filepath"

	"quartier/bench/soak/building"
	"quartier/bench/soak/processes"
	"quartier/internal/drill"
	"quartier/internal/drill/histories"
)

// row is a row of checks. do runs it and says what was done. Each planted fault is what the same check must fail on.
type row struct {
	number  int
	name    string
	weight  int // of its time
	do      func(e *environment, r *drill.Run) string
	planted []planted
}

// planted is a planted fault, and a part of what the check says when it finds it.
type planted struct {
	name, finding string
	do            func(e *environment, r *drill.Run)
}

// wrapped is a planted fault of a server.
func wrapped(name, finding string, wrap drill.Wrap, check func(r *drill.Run, wrap drill.Wrap)) planted {
	return planted{name, finding, func(_ *environment, r *drill.Run) { check(r, wrap) }}
}

// history is a planted fault of a state.
func history(name, finding string, fault histories.Fault) planted {
	return planted{name, finding, func(_ *environment, r *drill.Run) { histories.Run(r, inFile(r), fault) }}
}

// inFile is the DSN of an empty state in SQLite.
func inFile(r *drill.Run) string { return "sqlite:" + filepath.Join(r.TempDir(), "state.sqlite") }

var asOf = []string{"--as-of", "2024-05-01"}

var rows = []row{
	{1, "builds that are killed", 4, func(e *environment, r *drill.Run) string {
		done := building.Kills(r, e.builds(asOf...), building.KillFaults{})
		return fmt.Sprintf("%d kills, %d of %d finished steps reused, all releases equal byte for byte", done.Kills, done.Reused, done.Finished)
	}, []planted{
		{"the work folder forgets what is finished", "finished steps were reused",
			func(e *environment, r *drill.Run) { building.Kills(r, e.builds(asOf...), building.ForgottenSteps) }},
		{"a byte of a continued release is another one", "pois.pack differs",
			func(e *environment, r *drill.Run) { building.Kills(r, e.builds(asOf...), building.ChangedByte) }},
	}},
	{2, "operations that fail", 4, func(e *environment, r *drill.Run) string {
		done := building.FailedOperations(r, e.builds(), false)
		return fmt.Sprintf("%d faults among %d operations of a build: %d failed it with a cause, %d did not matter, the release was the old or "+
			"the new one", done.Faults, done.Operations, done.Failed, done.Coped)
	}, []planted{
		{"a failed build changes a byte of the old release", "neither the old one nor the new one",
			func(e *environment, r *drill.Run) { building.FailedOperations(r, e.builds(), true) }},
	}},
	{3, "damaged releases", 3, func(_ *environment, r *drill.Run) string {
		return fmt.Sprintf("%d damages, all refused, the same answers afterwards", drill.Damage(r, 0))
	}, []planted{
		{"one of 20 damages is repaired before it is read", "the release is not refused",
			func(_ *environment, r *drill.Run) { drill.Damage(r, 20) }},
	}},
	{4, "releases swapped under load", 3, func(_ *environment, r *drill.Run) string {
		swaps, requests := drill.Swaps(r, nil)
		return fmt.Sprintf("%d swaps beside %d requests, no answer of none or two releases, old files closed", swaps, requests)
	}, []planted{wrapped("one of 200 answers has the ETag of another", "is the answer of no release", drill.Mixed,
		func(r *drill.Run, w drill.Wrap) { drill.Swaps(r, w) })}},
	{5, "bad releases offered", 2, func(_ *environment, r *drill.Run) string {
		n, kinds := drill.Offers(r, false)
		return fmt.Sprintf("%d offers of %d kinds, all refused with their reason", n, kinds)
	}, []planted{
		{"one kind is harmless", "error <nil>", func(_ *environment, r *drill.Run) { drill.Offers(r, true) }},
	}},
	{6, "mutated texts to parsers", 3, func(_ *environment, r *drill.Run) string {
		parsers, texts := drill.Parsers(r)
		return fmt.Sprintf("%d texts to %d parsers, none panics, accepts what it should not, or takes over 1 s or 64 MB", texts, parsers)
	}, []planted{
		{"a parser reads past the end", "panic: ", func(_ *environment, r *drill.Run) { drill.Parsers(r, drill.PercentAtEnd) }},
		{"a parser allocates what a number says", "MB were allocated", func(_ *environment, r *drill.Run) { drill.Parsers(r, drill.Trusting) }},
	}},
	{7, "requests drawn from the OpenAPI document", 4, func(_ *environment, r *drill.Run) string {
		n, statuses := drill.Requests(r, nil)
		return fmt.Sprintf("%d requests, answers by status %v, all as documented, nothing invalid accepted", n, statuses)
	}, []planted{
		wrapped("one of 100 answers has an unknown member", "leak", drill.UnknownMembers,
			func(r *drill.Run, w drill.Wrap) { drill.Requests(r, w) }),
		wrapped("one of 100 invalid requests is accepted", "is not allowed", drill.Lenient,
			func(r *drill.Run, w drill.Wrap) { drill.Requests(r, w) }),
	}},
	{8, "forged tokens", 2, func(_ *environment, r *drill.Run) string {
		attacks, mutations := drill.Tokens(r, nil)
		return fmt.Sprintf("%d attacks and %d mutations, all refused in one shape", attacks, mutations)
	}, []planted{wrapped("the last character of a token is not compared", "mutation: 200", drill.TrailingBits,
		func(r *drill.Run, w drill.Wrap) { drill.Tokens(r, w) })}},
	{9, "tenants", 2, func(_ *environment, r *drill.Run) string {
		asked, own := drill.Tenants(r, nil)
		return fmt.Sprintf("%d requests for private geographies, answered as if others had none; %d showed a customer its own", asked, own)
	}, []planted{wrapped("answers are kept without the customer", "without the geographies of others", drill.Forgetful,
		func(r *drill.Run, w drill.Wrap) { drill.Tenants(r, w) })}},
	{10, "agreements", 2, func(_ *environment, r *drill.Run) string {
		agreements, asked := drill.Agreed(r, nil)
		return fmt.Sprintf("%d requests under %d drawn agreements, statuses as the rules say", asked, agreements)
	}, []planted{wrapped("scores by id outside of the agreement are not refused", "/v3/scores/", drill.Unscoped,
		func(r *drill.Run, w drill.Wrap) { drill.Agreed(r, w) })}},
	{11, "polygons", 3, func(_ *environment, r *drill.Run) string {
		n, longest := drill.Polygons(r, nil)
		return fmt.Sprintf("%d polygons, three of four malformed, right status and shape, the longest answer took %.1f ms", n,
			longest.Seconds()*1000)
	}, []planted{wrapped("some answers take 20 ms", "answered within 2", drill.Slow,
		func(r *drill.Run, w drill.Wrap) { drill.Polygons(r, w) })}},
	{12, "slow and huge clients", 4, func(e *environment, r *drill.Run) string {
		attacks, answered, peak := processes.Clients(r, e.programs, false)
		return fmt.Sprintf("%d attacks, all %d requests of another customer answered, at most %.0f MB of anonymous memory", attacks,
			answered, peak)
	}, []planted{{"a server that takes 200 connections from anybody", "requests of another customer failed",
		func(e *environment, r *drill.Run) { processes.Clients(r, e.programs, true) }}}},
	{13, "overload", 3, func(e *environment, r *drill.Run) string {
		times, answered, shed := processes.Overload(r, e.programs, false)
		return fmt.Sprintf("%d times twice and ten times the capacity, %d requests answered, %d shed with Retry-After, as before within 5 s",
			times, answered, shed)
	}, []planted{{"a server that answers 500 where more than four requests run", "500, Retry-After",
		func(e *environment, r *drill.Run) { processes.Overload(r, e.programs, true) }}}},
	{14, "histories of custom geographies", 3, lives, []planted{
		history("a state that answers one of 20 changes and does not make it", "was answered", histories.Losing),
		history("a state that answers the version that was read first", "is read as version", histories.Stale),
		history("a state in which an edit publishes", "leads from", histories.Leaping),
	}},
	{15, "the same inputs built again", 2, func(e *environment, r *drill.Run) string {
		return fmt.Sprintf("%d builds in other folders and time zones, on one processor and two, equal byte for byte",
			building.Twins(r, e.builds(asOf...), nil))
	}, []planted{{"a byte of a release is another one", "pois.pack differs", func(e *environment, r *drill.Run) {
		building.Twins(r, e.builds(asOf...), building.ChangedByte.Resumed)
	}}}},
	{16, "stores away", 4, storesAway, []planted{
		wrapped("a write is answered with 500 while the state is away", "a write: 500", drill.Unshaped,
			func(r *drill.Run, w drill.Wrap) { drill.StateAway(r, drill.SQLiteAway(r), w) }),
		{"limits open while their store is away", "are allowed within",
			func(e *environment, r *drill.Run) { e.stores.LimitsAway(r, drill.Open) }},
	}},
	{17, "mixed load with swaps", 8, serving, []planted{
		{"a server that loses memory, a goroutine and descriptors with each request", "descriptors grew",
			func(e *environment, r *drill.Run) { processes.Serving(r, e.programs, true) }},
	}},
	{18, "faults of sources", 3, func(e *environment, r *drill.Run) string {
		return fmt.Sprintf("%d builds of sources with a fault of %d kinds, each refused by its reason, the release of before untouched",
			building.Faulty(r, e.quartier, e.written(), false), len(building.DataFaults))
	}, []planted{{"nothing is planted", "exit code 0",
		func(e *environment, r *drill.Run) { building.Faulty(r, e.quartier, e.written(), true) }}}},
}

// storesAway divides the time among the state in PostgreSQL, in SQLite and the limits in Redis.
func storesAway(e *environment, r *drill.Run) string {
	postgres, writes := drill.StateAway(r.Part(2), e.stores.PostgresAway(r), nil)
	sqlite, _ := drill.StateAway(r.Part(4), drill.SQLiteAway(r), nil)
	redis, refused := e.stores.LimitsAway(r.Part(4), nil)
	return fmt.Sprintf("PostgreSQL %d, SQLite %d and Redis %d times away, %d writes beside cuts are done once or refused, limits refused %d "+
		"requests and never opened", postgres, sqlite, redis, writes, refused)
}

// lives divides the time between states in SQLite and PostgreSQL.
func lives(e *environment, r *drill.Run) string {
	sqlite := histories.Run(r.Part(2), inFile(r), nil)
	postgres := histories.Run(r.Part(2), e.stores.Postgres.Database(r), nil)
	return fmt.Sprintf("%d worlds of %d requests in SQLite and %d in PostgreSQL, %d versions beside %d updates, only allowed changes of "+
		"state, nothing lost",
		sqlite.Worlds, histories.RequestsOfWorld, postgres.Worlds, sqlite.Versions+postgres.Versions, sqlite.Updates+postgres.Updates)
}

func serving(e *environment, r *drill.Run) string {
	done := processes.Serving(r, e.programs, false)
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(e.out, name), data, 0o644); err != nil {
			r.Error(err)
		}
	}
	write("serving.csv", done.CSV())
	write("serving.svg", done.SVG(fmt.Sprintf("quartierd under mixed load with %d swaps, %d requests", done.Swaps, done.Requests)))
	return fmt.Sprintf("%d requests, %d swaps, no 5xx; from the third to the last quarter: %s", done.Requests, done.Swaps, done.Summary())
}
