package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"quartier/cmd/quartier-fleet/flow"
	"quartier/internal/plan"

	common "go.temporal.io/api/common/v1"
	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	workflows "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// authority signs certificates, whose names are in files of a folder: NAME.pem and NAME.key.
type authority struct {
	t           *testing.T
	dir         string
	key         *ecdsa.PrivateKey
	certificate *x509.Certificate
}

func newAuthority(t *testing.T, name string) *authority {
	a := &authority{t: t, dir: t.TempDir()}
	a.certificate = &x509.Certificate{IsCA: true, KeyUsage: x509.KeyUsageCertSign, BasicConstraintsValid: true}
	a.key = a.sign(a.certificate, name)
	return a
}

func (a *authority) file(name string) string { return filepath.Join(a.dir, name) }

// sign writes a certificate and its key; the first is that of the authority.
func (a *authority) sign(c *x509.Certificate, name string) *ecdsa.PrivateKey {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	c.Subject, c.SerialNumber, c.DNSNames = pkix.Name{CommonName: name}, big.NewInt(1), []string{name}
	c.NotBefore, c.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	var signed, secret []byte
	if signer := a.key; err == nil {
		if signer == nil {
			signer = key
		}
		signed, err = x509.CreateCertificate(rand.Reader, c, a.certificate, &key.PublicKey, signer)
	}
	if err == nil {
		secret, err = x509.MarshalPKCS8PrivateKey(key)
	}
	for extension, block := range map[string]*pem.Block{".pem": {Type: "CERTIFICATE", Bytes: signed},
		".key": {Type: "PRIVATE KEY", Bytes: secret}} {
		if err == nil {
			err = os.WriteFile(a.file(name+extension), pem.EncodeToMemory(block), 0o600)
		}
	}
	if err != nil {
		a.t.Fatal(err)
	}
	return key
}

// frontend is a server of Temporal by its protocol, which has one workflow, that was cancelled.
type frontend struct {
	workflowservice.UnimplementedWorkflowServiceServer
	asked chan metadata.MD // by whoever cancels it
}

func (*frontend) GetSystemInfo(context.Context, *workflowservice.GetSystemInfoRequest) (*workflowservice.GetSystemInfoResponse, error) {
	return &workflowservice.GetSystemInfoResponse{}, nil
}

func (f *frontend) DescribeWorkflowExecution(context.Context, *workflowservice.DescribeWorkflowExecutionRequest) (
	*workflowservice.DescribeWorkflowExecutionResponse, error) {
	return &workflowservice.DescribeWorkflowExecutionResponse{WorkflowExecutionInfo: &workflows.WorkflowExecutionInfo{
		Status: enums.WORKFLOW_EXECUTION_STATUS_RUNNING}}, nil
}

func (f *frontend) RequestCancelWorkflowExecution(ctx context.Context, r *workflowservice.RequestCancelWorkflowExecutionRequest) (
	*workflowservice.RequestCancelWorkflowExecutionResponse, error) {
	if r.Namespace != "places" {
		return nil, serviceerror.NewNamespaceNotFound(r.Namespace)
	}
	given, _ := metadata.FromIncomingContext(ctx)
	f.asked <- given
	return &workflowservice.RequestCancelWorkflowExecutionResponse{}, nil
}

// queues is a server that has a task for the first worker that asks for one, and notes what workers ask for.
type queues struct {
	frontend
	task  *workflowservice.PollActivityTaskQueueResponse
	asks  chan string // names of queues
	ended chan any    // what is said of the task
}

func (q *queues) DescribeNamespace(context.Context, *workflowservice.DescribeNamespaceRequest) (*workflowservice.DescribeNamespaceResponse,
	error) {
	return &workflowservice.DescribeNamespaceResponse{}, nil
}

func (q *queues) PollActivityTaskQueue(ctx context.Context, r *workflowservice.PollActivityTaskQueueRequest) (
	*workflowservice.PollActivityTaskQueueResponse, error) {
	select {
	case q.asks <- r.TaskQueue.Name:
		return q.task, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (q *queues) PollWorkflowTaskQueue(ctx context.Context, _ *workflowservice.PollWorkflowTaskQueueRequest) (
	*workflowservice.PollWorkflowTaskQueueResponse, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (q *queues) RecordActivityTaskHeartbeat(context.Context, *workflowservice.RecordActivityTaskHeartbeatRequest) (
	*workflowservice.RecordActivityTaskHeartbeatResponse, error) {
	return &workflowservice.RecordActivityTaskHeartbeatResponse{}, nil
}

func (q *queues) RespondActivityTaskCompleted(_ context.Context, r *workflowservice.RespondActivityTaskCompletedRequest) (
	*workflowservice.RespondActivityTaskCompletedResponse, error) {
	q.ended <- r
	return &workflowservice.RespondActivityTaskCompletedResponse{}, nil
}

func (q *queues) RespondActivityTaskFailed(_ context.Context, r *workflowservice.RespondActivityTaskFailedRequest) (
	*workflowservice.RespondActivityTaskFailedResponse, error) {
	q.ended <- r
	return &workflowservice.RespondActivityTaskFailedResponse{}, nil
}

// TestWorkersWithAnotherClock: a step is done where the server's clock is an hour ahead of the worker's or behind it. The number of the
// attempt is the server's time, so that it is no other worker's.
func TestWorkersWithAnotherClock(t *testing.T) {
	for _, ahead := range []time.Duration{-time.Hour, time.Hour} {
		now := time.Now().Add(ahead)
		order := must(converter.GetDefaultDataConverter().ToPayloads(flow.Order{Command: flow.Command{Release: "r", Work: "w"},
			Step: plan.Step{ID: "ingest.a"}}))
		q := &queues{asks: make(chan string, 1), ended: make(chan any, 1), task: &workflowservice.PollActivityTaskQueueResponse{
			TaskToken: []byte("token"), WorkflowExecution: &common.WorkflowExecution{WorkflowId: "w", RunId: "r"}, ActivityId: "ingest.a",
			ActivityType: &common.ActivityType{Name: flow.ActivityAttempt}, WorkflowType: &common.WorkflowType{Name: "Region"}, Input: order,
			ScheduledTime: timestamppb.New(now), StartedTime: timestamppb.New(now), CurrentAttemptScheduledTime: timestamppb.New(now),
			StartToCloseTimeout: durationpb.New(10 * time.Minute), HeartbeatTimeout: durationpb.New(30 * time.Second), Attempt: 1}}
		noted := filepath.Join(t.TempDir(), "noted")
		stop := startWorker(t, q, program(t, "echo $5 >"+noted))
		switch end := (<-q.ended).(type) {
		case *workflowservice.RespondActivityTaskCompletedRequest:
		default:
			t.Errorf("%s: the step is not done: %v", ahead, end)
		}
		stop()
		if text, err := os.ReadFile(noted); err != nil || strings.TrimSpace(string(text)) != strconv.FormatInt(now.UnixMilli(), 10) {
			t.Errorf("attempt %q at %d: %v", text, now.UnixMilli(), err)
		}
	}
}

// TestWorkersOfAnotherVersion: each asks for the steps of its own program alone.
func TestWorkersOfAnotherVersion(t *testing.T) {
	seen := map[string]string{}
	for _, script := range []string{"exit 0", "exit 1"} {
		q := &queues{asks: make(chan string), task: &workflowservice.PollActivityTaskQueueResponse{}}
		stop := startWorker(t, q, program(t, script))
		for asked := map[string]bool{}; len(asked) < 2; {
			queue := <-q.asks
			if class, _, _ := strings.Cut(queue, "-"); class != "small" && class != "large" || seen[queue] != "" && seen[queue] != script {
				t.Fatalf("the worker of %q asks for %s, of %q", script, queue, seen[queue])
			}
			asked[queue], seen[queue] = true, script
		}
		stop()
	}
}

// startWorker runs a worker until stop is called.
func startWorker(t *testing.T, q *queues, quartier string) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan int, 1)
	var out bytes.Buffer
	address := serve(t, q)
	go func() {
		ended <- run(ctx, []string{"quartier-fleet", "worker", "--address", address, "--quartier", quartier, "--drain", "1s"}, &out, &out)
	}()
	return func() {
		cancel()
		if code := <-ended; code != 0 {
			t.Errorf("code %d:\n%s", code, out.Bytes())
		}
	}
}

// serve serves a frontend on loopback until the end of the test, and returns its address.
func serve(t *testing.T, f workflowservice.WorkflowServiceServer, options ...grpc.ServerOption) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer(options...)
	workflowservice.RegisterWorkflowServiceServer(s, f)
	go s.Serve(listener)
	t.Cleanup(s.Stop)
	return listener.Addr().String()
}

// TestServersWithTLS: the server wants a certificate of its authority; the name of its own is not that of its address.
func TestServersWithTLS(t *testing.T) {
	ours, other := newAuthority(t, "authority"), newAuthority(t, "authority")
	ours.sign(&x509.Certificate{}, "temporal.example")
	ours.sign(&x509.Certificate{}, "worker")
	other.sign(&x509.Certificate{}, "worker")
	own, err := tls.LoadX509KeyPair(ours.file("temporal.example.pem"), ours.file("temporal.example.key"))
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(must(x509.ParseCertificate(must(tls.LoadX509KeyPair(ours.file("authority.pem"), ours.file("authority.key"))).Certificate[0])))
	f := &frontend{asked: make(chan metadata.MD, 1)}
	address := serve(t, f, grpc.Creds(credentials.NewTLS(&tls.Config{Certificates: []tls.Certificate{own}, ClientCAs: pool,
		ClientAuth: tls.RequireAndVerifyClientCert})))
	settings := map[string]string{"TEMPORAL_ADDRESS": address, "TEMPORAL_NAMESPACE": "places", "TEMPORAL_API_KEY": "theApiKey",
		"TEMPORAL_TLS_SERVER_CA_CERT_PATH": ours.file("authority.pem"), "TEMPORAL_TLS_SERVER_NAME": "temporal.example",
		"TEMPORAL_TLS_CLIENT_CERT_PATH": ours.file("worker.pem"), "TEMPORAL_TLS_CLIENT_KEY_PATH": ours.file("worker.key")}
	file, quartier := filepath.Join(t.TempDir(), "temporal.toml"), program(t, "exit 1")
	for name, c := range map[string]struct {
		change map[string]string // of the settings; "": none
		file   string
		args   []string
		code   int
		says   string
	}{
		"as it should be":   {},
		"flags go before":   {change: map[string]string{"TEMPORAL_ADDRESS": "127.0.0.1:1"}, args: []string{"--address", address}},
		"the key in a file": {change: map[string]string{"TEMPORAL_API_KEY": ""}, file: "[profile.default]\napi_key = \"theApiKey\"\n"},
		"another authority": {map[string]string{"TEMPORAL_TLS_SERVER_CA_CERT_PATH": other.file("authority.pem")}, "", nil, 1, "certificate"},
		"another name":      {map[string]string{"TEMPORAL_TLS_SERVER_NAME": "other.example"}, "", nil, 1, "temporal.example"},
		"no certificate": {map[string]string{"TEMPORAL_TLS_CLIENT_CERT_PATH": "", "TEMPORAL_TLS_CLIENT_KEY_PATH": ""}, "", nil, 1,
			"reaching server"}, // TLS 1.3 may cut the connection before it says why
		"certificate of others": {map[string]string{"TEMPORAL_TLS_CLIENT_CERT_PATH": other.file("worker.pem"),
			"TEMPORAL_TLS_CLIENT_KEY_PATH": other.file("worker.key")}, "", nil, 1, "reaching server"},
		"key of others": {map[string]string{"TEMPORAL_TLS_CLIENT_KEY_PATH": other.file("worker.key")}, "", nil, exitUsage, "settings of"},
		"no such file":  {map[string]string{"TEMPORAL_TLS_CLIENT_CERT_PATH": "/nowhere.pem"}, "", nil, exitUsage, "/nowhere.pem"},
		"without TLS":   {map[string]string{"TEMPORAL_TLS": "false"}, "", nil, exitUsage, "not sent without TLS"},
		"not TOML":      {nil, "[profile.default]\napi_key = theApiKey\n", nil, exitUsage, "line 2 is not TOML"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TEMPORAL_CONFIG_FILE", file)
			if err := os.WriteFile(file, []byte(c.file), 0o600); err != nil {
				t.Fatal(err)
			}
			for key, value := range settings {
				if changed, is := c.change[key]; is {
					value = changed
				}
				if t.Setenv(key, value); value == "" {
					os.Unsetenv(key)
				}
			}
			if off := c.change["TEMPORAL_TLS"]; off != "" {
				t.Setenv("TEMPORAL_TLS", off)
			}
			code, printed := called(append([]string{"coordinate", "--release", "r", "--work", "w", "--id", "w", "--cancel",
				"--quartier", quartier}, c.args...)...)
			if code != c.code || !strings.Contains(printed, c.says) || strings.Contains(printed, "theApi") {
				t.Errorf("code %d, not %d:\n%s", code, c.code, printed)
			}
			if code == 0 {
				if given := (<-f.asked).Get("authorization"); len(given) != 1 || given[0] != "Bearer theApiKey" {
					t.Errorf("given: %q", given)
				}
			}
		})
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
