package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"quartier/cmd/quartier-fleet/attempt"
	"quartier/cmd/quartier-fleet/flow"

	"github.com/urfave/cli/v2"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"
)

func workerCommand() *cli.Command {
	return &cli.Command{
		Name: "worker", Usage: "run steps of the classes of --queue, and workflows, until SIGTERM",
		Flags: append(serverFlags(),
			&cli.StringFlag{Name: "queue", Usage: "`CLASSES` of steps that this machine can run", Value: "small,large"},
			&cli.IntFlag{Name: "jobs", Usage: "`N` steps of each class at once", Value: 1},
			&cli.StringFlag{Name: "work-root", Usage: "`DIR` in which relative paths of release file, work place and data begin", Value: "."},
			&cli.DurationFlag{Name: "drain", Usage: "`TIME` that steps have to end after SIGTERM", Value: 10 * time.Minute}),
		Action: work,
	}
}

// work runs steps until SIGTERM, then lets those end that run.
func work(c *cli.Context) error {
	if c.Int("jobs") < 1 || c.Args().Present() {
		return cli.Exit("--jobs is at least 1, and there are no arguments", exitUsage)
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
	host, _ := os.Hostname()
	ended, end := context.WithCancel(context.Background())
	defer end()
	r := &attempt.Runner{Program: program, Folder: c.String("work-root"), Name: fmt.Sprintf("%s:%d", host, os.Getpid()), Stop: ended,
		Log: slog.New(slog.NewTextHandler(c.App.ErrWriter, nil))}
	running, fail := context.WithCancelCause(c.Context)
	options := worker.Options{Identity: r.Name, MaxConcurrentActivityExecutionSize: c.Int("jobs"), MaxHeartbeatThrottleInterval: attempt.Every,
		WorkerStopTimeout: c.Duration("drain") + time.Minute, // to report what did not end
		OnFatalError:      fail}
	var workers sync.WaitGroup
	defer workers.Wait()
	for _, class := range append(strings.Split(c.String("queue"), ","), "") { // and workflows
		queue := flow.Queue
		if class = strings.TrimSpace(class); class != "" {
			queue = flow.QueueOf(class, digest)
		}
		options.DisableWorkflowWorker, options.LocalActivityWorkerOnly = class != "", class == ""
		w := worker.New(to, queue, options)
		if class != "" {
			w.RegisterActivityWithOptions(r.Run, activity.RegisterOptions{Name: flow.ActivityAttempt})
		} else {
			w.RegisterWorkflow(flow.Release)
			w.RegisterWorkflow(flow.Region)
		}
		if err := w.Start(); err != nil {
			return fmt.Errorf("queue %s: %w", queue, err)
		}
		defer workers.Go(w.Stop)
	}
	r.Log.Info("ready", "worker", r.Name, "queues", c.String("queue"), "program", program)
	<-running.Done()
	r.Log.Info("begins no further steps", "drain", c.Duration("drain"))
	time.AfterFunc(c.Duration("drain"), end)
	if c.Context.Err() == nil {
		return context.Cause(running)
	}
	return nil
}
