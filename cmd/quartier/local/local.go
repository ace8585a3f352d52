// Package local serves a folder of releases on this machine, for somebody who tries it: with an account of its own, whose
// credentials are kept in a file, and with the explorer, which is opened where there is a desktop.
package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"quartier/cmd/quartier/desktop"
	"quartier/serve/account"
	"quartier/serve/state"
)

// Server is quartierd from the folder of this program.
type Server struct {
	Dir      string // of the state and the credentials
	Releases string // folder
	Addr     string // HOST:PORT to listen on
	Customer string // the name of the account, where there is none yet
	Out      io.Writer
	Screen   io.Writer // of what the server writes
	Log      *slog.Logger
}

// Credentials are what CredentialsFile has, for scripts.
type Credentials struct {
	BaseURL string `json:"base_url"`
	account.Credentials
	State string `json:"state"` // DSN
}

// CredentialsFile is the path of the credentials.
func (s *Server) CredentialsFile() string { return filepath.Join(s.Dir, "credentials.json") }

// Free fails where the server will: another program has the address.
func (s *Server) Free() error {
	listener, err := net.Listen("tcp", s.Addr)
	if err != nil {
		return err
	}
	return listener.Close()
}

// Run serves until the context is cancelled. When the server is ready, it calls ready and shows the link of the explorer.
func (s *Server) Run(ctx context.Context, ready func(Credentials) error) error {
	made, err := s.credentials()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	server := exec.CommandContext(ctx, filepath.Join(filepath.Dir(self), "quartierd"), "--releases", s.Releases, "--state", made.State,
		"--addr", s.Addr, "--explore", "--explore-account", made.ClientID)
	link := desktop.NewLinkReader(s.Screen)
	server.Stdout, server.Stderr = s.Screen, link
	server.Cancel = func() error { return server.Process.Signal(os.Interrupt) }
	server.WaitDelay = 15 * time.Second
	if err := server.Start(); err != nil {
		return fmt.Errorf("start the server: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	if err := awaitReady(ctx, made.BaseURL, ended); err != nil {
		return err
	}
	if err := ready(made); err != nil {
		return err
	}
	link.Show(ctx, s.Out, s.Log)
	err = <-ended
	if ctx.Err() != nil {
		fmt.Fprintln(s.Out, "\nStopped.")
		return nil
	}
	return err
}

// credentials reuses the account of the last run if it is still valid, else creates one.
func (s *Server) credentials() (made Credentials, err error) {
	dsn := "sqlite:" + filepath.Join(s.Dir, "state.db")
	if _, err := state.Migrate(dsn); err != nil { // of an older program
		return made, err
	}
	store, err := state.Open(dsn)
	if err != nil {
		return made, err
	}
	defer store.Close()
	if data, err := os.ReadFile(s.CredentialsFile()); err != nil || json.Unmarshal(data, &made) != nil || !valid(store, made) {
		_, made.Credentials, err = store.Create(s.Customer, account.Agreement{CustomGeographies: true})
		if err != nil {
			return made, err
		}
	}
	made.BaseURL, made.State = "http://"+s.Addr, dsn
	data, err := json.MarshalIndent(made, "", "  ")
	if err != nil {
		return made, err
	}
	return made, os.WriteFile(s.CredentialsFile(), append(data, '\n'), 0o600)
}

func valid(store *state.Store, made Credentials) bool {
	all, err := store.Accounts(context.Background())
	if err != nil {
		return false
	}
	for _, client := range all.Clients {
		if client.ID == made.ClientID && client.RevokedAt == "" && client.Matches(made.ClientSecret) {
			return true
		}
	}
	return false
}

func awaitReady(ctx context.Context, url string, ended <-chan error) error {
	for range 600 {
		select {
		case err := <-ended:
			return fmt.Errorf("the server exited before it was ready: %w", errors.Join(err, ctx.Err()))
		case <-time.After(100 * time.Millisecond):
		}
		answer, err := http.Get(url + "/readyz")
		if err != nil {
			continue
		}
		answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			return nil
		}
	}
	return errors.New("the server was not ready within a minute")
}
