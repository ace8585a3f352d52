package main

import (
	"fmt"
	"math"
	"net/netip"
	"os"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"quartier/internal/machine"
	"quartier/serve/admit"
	"quartier/serve/limit"
)

// admission has the limits of what callers may take.
type admission struct {
	InFlight    int
	Connections int
	MemoryMB    int // 0: defaultMemory
}

const (
	defaultMemory      = 512  // MB
	leastMemory        = 64   // MB
	defaultConnections = 4096 // each takes about 20 kB
	maxUnfinished      = 2048 // connections with half a header, about 80 kB each: as many as one address can have
	otherFiles         = 256  // descriptors that are not for connections
	stall              = 10 * time.Second
)

// newConnections is the rate of those of an address, ten times that of an account which makes one for each request.
var newConnections = limit.Rate{PerSecond: 500, Burst: 1000}

var admissionFlags = []cli.Flag{
	&cli.IntFlag{Name: "in-flight", Value: admit.DefaultRequests, EnvVars: []string{"QUARTIER_IN_FLIGHT"},
		Usage: "maximum `N` of requests at once, of which one customer has half at most; more are answered 503"},
	&cli.IntFlag{Name: "connections", Value: defaultConnections, EnvVars: []string{"QUARTIER_CONNECTIONS"},
		Usage: "maximum `N` of connections at once, of which one address (but a trusted proxy) has half at most; more are closed"},
	&cli.IntFlag{Name: "memory", EnvVars: []string{"QUARTIER_MEMORY"},
		Usage: fmt.Sprintf("`MB` of memory beside what is mapped, half of it for answers; default %d, or half of what the machine has free if "+
			"that is less", defaultMemory)},
}

func admissionOf(c *cli.Context) admission {
	return admission{InFlight: c.Int("in-flight"), Connections: c.Int("connections"), MemoryMB: c.Int("memory")}
}

func (a admission) check() error {
	switch {
	case a.InFlight < 1:
		return cli.Exit("--in-flight must be at least 1", exitUsage)
	case a.Connections < 2:
		return cli.Exit("--connections must be at least 2", exitUsage)
	case a.MemoryMB != 0 && a.MemoryMB < leastMemory:
		return cli.Exit(fmt.Sprintf("--memory must be at least %d (MB)", leastMemory), exitUsage)
	}
	return nil
}

// memory is the memory that the process may take beside what is mapped, in bytes.
func (a admission) memory() int64 {
	if a.MemoryMB > 0 {
		return int64(a.MemoryMB) << 20
	}
	if free, known := machine.Memory(); known {
		return min(defaultMemory<<20, max(leastMemory<<20, free/2))
	}
	return defaultMemory << 20
}

// limits bounds the memory of the process, and returns the limits of requests. GOMEMLIMIT overrides the first.
func (a admission) limits() admit.Limits {
	memory := a.memory()
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memory)
	}
	return admit.Limits{Requests: a.InFlight, Bytes: memory / 2}
}

// listener makes the listener of connections, fewer than the process may have files.
func (a admission) listener(proxies []netip.Prefix) *admit.Listener {
	connections := a.Connections
	var files syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files) == nil && files.Cur < math.MaxInt32 {
		connections = max(2, min(connections, int(files.Cur)-otherFiles))
	}
	return admit.NewListener(admit.ConnLimits{Conns: connections, Rate: newConnections, Header: maxHeaderBytes, Unfinished: maxUnfinished,
		Stall: stall, Proxies: proxies})
}
