// Package lockfile lets one process at a time work in a folder, and says who it is.
package lockfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Name is the name of the lock file in a folder. It stays there: the lock is the kernel's, and ends with the process.
const Name = ".lock"

// ErrHeld is returned where another process works in the folder.
var ErrHeld = errors.New("another process works in this folder")

// Holder describes the process that holds a lock.
type Holder struct {
	Host    string    `json:"host"`
	PID     int       `json:"pid"`
	Command string    `json:"command"` // 'publish'
	Since   time.Time `json:"since"`
}

// String is a description such as 'publish, process 4711 on build1 since 2024-05-31 04:00:12 UTC'.
func (h Holder) String() string {
	return fmt.Sprintf("%s, process %d on %s since %s", h.Command, h.PID, h.Host, h.Since.UTC().Format("2006-01-02 15:04:05 UTC"))
}

// Lock is a folder that this process holds.
type Lock struct{ file *os.File }

// Acquire locks a folder for a command, without waiting. It fails with ErrHeld and the holder where another process, or
// another caller in this one, holds it.
func Acquire(dir, command string) (*Lock, error) {
	file, err := os.OpenFile(filepath.Join(dir, Name), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := Try(file); err != nil {
		defer file.Close()
		if !errors.Is(err, ErrHeld) {
			return nil, fmt.Errorf("lock %s: %w", dir, err)
		}
		return nil, fmt.Errorf("%w: %s: %s", ErrHeld, dir, holderIn(file))
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	data, err := json.Marshal(Holder{Host: host, PID: os.Getpid(), Command: command, Since: time.Now().Truncate(time.Second)})
	if err == nil {
		err = file.Truncate(0)
	}
	if err == nil {
		_, err = file.WriteAt(append(data, '\n'), 0)
	}
	if err != nil { // a full disk
		Close(file)
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	return &Lock{file}, nil
}

// holderIn describes the holder; it may be writing the file.
func holderIn(file *os.File) string {
	var h Holder
	data, err := io.ReadAll(io.LimitReader(file, 4096))
	if err == nil {
		err = json.Unmarshal(data, &h)
	}
	if err != nil {
		return "its process is not known"
	}
	return h.String()
}

// Release lets the next process in.
func (l *Lock) Release() error { return Close(l.file) }

// Try locks an open file or folder, without waiting. It fails with ErrHeld where somebody else has it locked.
func Try(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrHeld
	}
	return err
}

// Close unlocks a file and closes it. To close it is not enough: a child process has the descriptor, too, from its fork until
// its program begins, and would hold the lock for so long.
func Close(file *os.File) error {
	return errors.Join(syscall.Flock(int(file.Fd()), syscall.LOCK_UN), file.Close())
}
