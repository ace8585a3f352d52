package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"strings"
	"time"

	"quartier/cmd/quartier-fleet/flow"
	"quartier/internal/plan"
	"quartier/schemas"

	"github.com/urfave/cli/v2"
	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
)

func coordinateCommand() *cli.Command {
	return &cli.Command{
		Name: "coordinate", Usage: "run the steps of a release by workers, and show where they are until all have ended",
		ArgsUsage: "[-- flags of quartier step such as --data DIR, which Temporal keeps: no place for secrets]",
		Flags: append(serverFlags(),
			&cli.StringFlag{Name: "release", Usage: "release `FILE`, at the same path for every worker", Required: true},
			&cli.StringFlag{Name: "work", Usage: "`PLACE` that all workers reach: DIR or s3://BUCKET/PREFIX", Required: true},
			&cli.StringFlag{Name: "id", Usage: "`ID` of the workflow, if not one for what is to be done"},
			&cli.StringSliceFlag{Name: "accept", Usage: "go on in spite of a gate, with the reason: `GATE=REASON`; may be repeated"},
			&cli.BoolFlag{Name: "cancel", Usage: "end the workflow and the steps that run; what is done stays done"},
			&cli.IntFlag{Name: "tries", Usage: "attempts of a step at most, `N`", Value: 5},
			&cli.DurationFlag{Name: "lost-after", Usage: "`TIME` without a word of a step until another worker gets it", Value: 30 * time.Second}),
		Action: coordinate,
	}
}

// coordinate starts the workflow of a plan, or finds that which runs already, and shows it.
func coordinate(c *cli.Context) error {
	if c.Int("tries") < 1 || c.Duration("lost-after") < time.Second {
		return cli.Exit("--tries is at least 1, --lost-after at least 1s", exitUsage)
	}
	accepted, err := acceptances(c)
	if err != nil {
		return err
	}
	program, digest, err := quartier(c)
	if err != nil {
		return err
	}
	to, err := connect(c)
	if err != nil {
		return err
	}
	defer to.Close()
	p := flow.Plan{Command: flow.Command{Release: c.String("release"), Work: c.String("work"), Flags: c.Args().Slice(), Program: digest,
		Tries: int32(c.Int("tries")), LostAfter: c.Duration("lost-after")}}
	id := c.String("id")
	running, err := runs(c, to, id)
	if err != nil {
		return err
	}
	if !running { // else it has the plan, and sources need not be read again
		if p.Steps, err = planned(c, program, p.Command); err == nil {
			err = p.Check()
		}
		if err != nil {
			return fmt.Errorf("quartier step plan: %w", err)
		}
		if id == "" {
			id = "quartier-" + strings.TrimSuffix(path.Base(p.Command.Release), ".yaml") + "-" + p.Digest()
		}
	}
	if c.Bool("cancel") {
		return to.CancelWorkflow(c.Context, id, "")
	}
	run := to.GetWorkflow(c.Context, id, "")
	if len(p.Steps) > 0 {
		run, err = to.ExecuteWorkflow(c.Context, client.StartWorkflowOptions{
			ID: id, TaskQueue: flow.Queue, WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING}, flow.Release, p)
	}
	for _, a := range accepted {
		if err == nil {
			err = to.SignalWorkflow(c.Context, id, "", flow.SignalAccept, a)
		}
	}
	if err != nil {
		return fmt.Errorf("workflow %s: %w", id, err)
	}
	w := &watch{to: to, id: id, run: run.GetRunID(), plan: p, out: c.App.Writer, begun: time.Now(), phases: map[string]flow.Phase{}}
	w.line("workflow %s", id)
	err = w.untilEnd(c.Context, run)
	if c.Context.Err() != nil {
		w.line("the workflow goes on: the same command with --id %s shows it again, and ends it with --cancel too", id)
	}
	return err
}

// runs says whether a workflow of this id runs.
func runs(c *cli.Context, to client.Client, id string) (bool, error) {
	if id == "" {
		return false, nil
	}
	is, err := to.DescribeWorkflowExecution(c.Context, id, "")
	var unknown *serviceerror.NotFound
	if errors.As(err, &unknown) {
		return false, nil
	}
	return is.GetWorkflowExecutionInfo().GetStatus() == enums.WORKFLOW_EXECUTION_STATUS_RUNNING, err
}

func acceptances(c *cli.Context) (list []schemas.Acceptance, err error) {
	for _, given := range c.StringSlice("accept") {
		gate, why, _ := strings.Cut(given, "=")
		if err := schemas.CheckGate(gate); err != nil || strings.TrimSpace(why) == "" {
			return nil, cli.Exit(fmt.Sprintf("--accept %q is not GATE=REASON (%v)", given, err), exitUsage)
		}
		list = append(list, schemas.Acceptance{Gate: gate, Reason: why})
	}
	return list, nil
}

// planned are the steps that quartier plans, without their files.
func planned(c *cli.Context, program string, of flow.Command) ([]plan.Step, error) {
	args := append([]string{"step", "plan", "--json", "--release", of.Release, "--work", of.Work}, of.Flags...)
	command := exec.CommandContext(c.Context, program, args...)
	command.Stderr = c.App.ErrWriter
	out, err := command.Output()
	if err != nil {
		return nil, err
	}
	steps, err := plan.Read(bytes.NewReader(out))
	for i := range steps {
		steps[i].Inputs, steps[i].Outputs = nil, nil
	}
	return steps, err
}

// resultOf is the error of a workflow that ended, with its exit code.
func resultOf(err error) error {
	var failed *temporal.ApplicationError
	switch {
	case errors.As(err, &failed) && failed.Type() == string(flow.Alarm):
		return cli.Exit("alarm: "+failed.Message(), exitAlarm)
	case errors.As(err, &failed):
		return errors.New(failed.Message())
	case temporal.IsCanceledError(err):
		return errors.New("the workflow was cancelled")
	}
	return err
}
