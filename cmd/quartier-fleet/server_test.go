package main

import (
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
	"strings"
	"testing"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	workflows "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
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
	for extension, block := range map[string]*pem.Block{".pem": {Type: "CERTIFICATE", Bytes: signed}, ".key": {Type: "PRIVATE KEY", Bytes: secret}} {
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
		"key of others": {map[string]string{"TEMPORAL_TLS_CLIENT_KEY_PATH": other.file("worker.key")}, "", nil, exitUsage, "settings of Temporal"},
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
