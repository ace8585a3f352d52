package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quartier/cmd/quartier-fleet/flow"
	"quartier/internal/plan"

	"github.com/stretchr/testify/mock"
	failures "go.temporal.io/api/failure/v1"
	workflows "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/mocks"
	"go.temporal.io/sdk/temporal"
)

// called runs the program and returns its exit code and what it printed.
func called(args ...string) (code int, printed string) {
	var out bytes.Buffer
	code = run(context.Background(), append([]string{"quartier-fleet"}, args...), &out, &out)
	return code, out.String()
}

// program writes a program in the place of quartier.
func program(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "quartier")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestExitCodesWithoutAServer(t *testing.T) {
	const one = `echo '{"id":"ingest.a","needs":[],"class":"small","minutes":1}'`
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"help":            {[]string{"--help"}, 0, "alarm: two attempts"},
		"unknown flag":    {[]string{"worker", "--nothing"}, exitUsage, "flag provided but not defined"},
		"no jobs":         {[]string{"worker", "--jobs", "0"}, exitUsage, "--jobs is at least 1"},
		"no program":      {[]string{"worker", "--quartier", "/nowhere/quartier"}, exitUsage, "--quartier"},
		"no release":      {[]string{"coordinate", "--work", "w"}, exitUsage, `Required flag "release"`},
		"no tries":        {[]string{"coordinate", "--release", "r", "--work", "w", "--tries", "0"}, exitUsage, "--tries"},
		"a gate of none":  {[]string{"coordinate", "--release", "r", "--work", "w", "--accept", "nothing=why"}, exitUsage, "unknown gate"},
		"without reason":  {[]string{"coordinate", "--release", "r", "--work", "w", "--accept", "pois"}, exitUsage, "GATE=REASON"},
		"no plan":         {coordinateBy(program(t, "echo no such region >&2; exit 4")), 4, "no such region"},
		"a bad plan":      {coordinateBy(program(t, one+"; "+one)), exitFailure, "twice in the plan"},
		"not even a plan": {coordinateBy(program(t, "echo hello")), exitFailure, "step 1"},
	} {
		t.Run(name, func(t *testing.T) {
			if code, printed := called(c.args...); code != c.code || !strings.Contains(printed, c.says) {
				t.Errorf("code %d, not %d:\n%s", code, c.code, printed)
			}
		})
	}
}

func coordinateBy(quartier string) []string {
	return []string{"coordinate", "--release", "r.yaml", "--work", "w", "--quartier", quartier, "--", "--data", "d"}
}

func TestResults(t *testing.T) {
	for _, c := range []struct {
		err  error
		says string
	}{
		{nil, ""},
		{temporal.NewNonRetryableApplicationError("step a: digests 0a and 1b", string(flow.Alarm), nil), "alarm: step a: digests 0a and 1b"},
		{temporal.NewNonRetryableApplicationError("2 of 3 steps are missing", string(flow.Missing), nil), "2 of 3 steps are missing"},
		{temporal.NewCanceledError(), "the workflow was cancelled"},
		{errors.New("other"), "other"},
	} {
		if err := resultOf(c.err); err == nil && c.says != "" || err != nil && err.Error() != c.says {
			t.Errorf("%v becomes %v", c.err, err)
		}
	}
}

// known is a workflow as a server has it.
type known struct {
	mocks.Client
	plan     flow.Plan
	progress flow.Progress
	out      bytes.Buffer
}

func (k *known) watch() *watch {
	value := &mocks.Value{}
	value.On("Get", mock.Anything).Return(func(to any) error { *to.(*flow.Progress) = k.progress; return nil })
	k.On("QueryWorkflow", mock.Anything, "id", "run", flow.QueryProgress).Return(value, nil)
	return &watch{to: k, id: "id", run: "run", plan: k.plan, out: &k.out, begun: time.Now(), phases: map[string]flow.Phase{}}
}

func TestProgressForPeople(t *testing.T) {
	p := flow.Plan{Command: flow.Command{Program: "0a1b"}}
	p.Steps = []plan.Step{{ID: "ingest.a", Class: "large"}, {ID: "ingest.b", Class: "small"}}
	k := &known{plan: p, progress: flow.Progress{Plan: p.Digest(), Steps: []flow.State{
		{ID: "ingest.a", Phase: flow.Done, Report: flow.Report{Attempt: 2, Worker: "w1", Rows: 7, Seconds: 1.5}},
		{ID: "ingest.b", Phase: flow.Running},
		{ID: "lend.a", Phase: flow.Failed, Reason: "exit status 4: no file"},
		{ID: "write", Phase: flow.Gated, Reason: "exit status 6: pois"},
		{ID: "publish", Phase: flow.Waiting},
	}}}
	beat, err := converter.GetDefaultDataConverter().ToPayloads(flow.Report{Worker: "w2", Rows: 12, Doing: "reading"})
	if err != nil {
		t.Fatal(err)
	}
	k.On("DescribeWorkflowExecution", mock.Anything, "id", "run").Return(&workflowservice.DescribeWorkflowExecutionResponse{
		PendingChildren: []*workflows.PendingChildExecutionInfo{{WorkflowId: "id/b", RunId: "run2"}},
	}, nil)
	k.On("DescribeWorkflowExecution", mock.Anything, "id/b", "run2").Return(&workflowservice.DescribeWorkflowExecutionResponse{
		PendingActivities: []*workflows.PendingActivityInfo{{ActivityId: "ingest.b", Attempt: 3, HeartbeatDetails: beat,
			LastFailure: &failures.Failure{Message: "exit status 1: disk full"}}},
	}, nil)
	k.On("DescribeTaskQueue", mock.Anything, "small-0a1b", mock.Anything).Return(&workflowservice.DescribeTaskQueueResponse{}, nil)
	w := k.watch()
	if err := w.look(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := w.look(context.Background()); err != nil { // nothing new
		t.Fatal(err)
	}
	var printed []string
	for line := range strings.Lines(k.out.String()) {
		printed = append(printed, strings.TrimSpace(line[strings.Index(line, "s  ")+1:]))
	}
	want := []string{
		"ingest.a  done in 1.5 s, attempt 2 by w1, 7 rows",
		"ingest.b  begins",
		"lend.a  failed: exit status 4: no file",
		"write  is held back until the same command is given with --accept GATE=REASON and --id id: exit status 6: pois",
		"1 of 5 steps done, 1 run or queue, 1 wait, 1 are held back, 1 failed, 0 miss those",
		"no worker takes small steps: none runs with --queue small and this very quartier",
		"ingest.b  attempt 3 by w2, 12 rows, reading; before: exit status 1: disk full",
	}
	if got := strings.Join(printed, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("printed:\n%s", got)
	}
}

func TestTheWatchEndsWithTheWorkflow(t *testing.T) {
	k := &known{progress: flow.Progress{Plan: flow.Plan{}.Digest()}}
	k.On("DescribeWorkflowExecution", mock.Anything, "id", "run").Return(&workflowservice.DescribeWorkflowExecutionResponse{}, nil)
	run := &mocks.WorkflowRun{}
	run.On("Get", mock.Anything, nil).Return(temporal.NewNonRetryableApplicationError("1 of 1 steps are missing: a", "missing", nil))
	if err := k.watch().untilEnd(context.Background(), run); err == nil || err.Error() != "1 of 1 steps are missing: a" {
		t.Error(err)
	}
}

func TestTheWatchEndsBeforeTheWorkflow(t *testing.T) {
	k := &known{progress: flow.Progress{Plan: flow.Plan{}.Digest()}}
	ctx, cancel := context.WithCancel(context.Background())
	run := &mocks.WorkflowRun{}
	run.On("Get", mock.Anything, nil).Return(func(ctx context.Context, _ any) error { <-ctx.Done(); return ctx.Err() })
	cancel()
	if err := k.watch().untilEnd(ctx, run); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
