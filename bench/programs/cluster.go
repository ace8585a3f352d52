package programs

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"quartier/bench/fail"
)

// PostgresBin is the folder of the programs of PostgreSQL.
const PostgresBin = "/usr/lib/postgresql/15/bin"

// ClusterOwner returns the user that the server runs as: PostgreSQL refuses to run as root.
func ClusterOwner() *syscall.Credential {
	if os.Getuid() != 0 {
		return nil
	}
	u := fail.Must(user.Lookup("postgres"))
	uid, gid := fail.Must(strconv.ParseUint(u.Uid, 10, 32)), fail.Must(strconv.ParseUint(u.Gid, 10, 32))
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

// PlaceOf is where a cluster that belongs in a folder can be: there, or in /var/tmp if its owner may not enter the folder,
// as in the home of root.
func PlaceOf(owner *syscall.Credential, dir string) string {
	if owner == nil {
		return dir
	}
	for parent := filepath.Dir(dir); ; parent = filepath.Dir(parent) {
		if info, err := os.Stat(parent); err == nil && info.Mode()&0o001 == 0 {
			return filepath.Join("/var/tmp", fmt.Sprintf("quartier-bench-%x", sha256.Sum256([]byte(dir)))[:32])
		}
		if parent == filepath.Dir(parent) {
			return dir
		}
	}
}

// MakeCluster makes an empty cluster in a new folder.
func MakeCluster(ctx context.Context, owner *syscall.Credential, dir, cluster string) {
	fail.Check(errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)))
	if owner != nil {
		fail.Check(os.Chown(dir, int(owner.Uid), int(owner.Gid)))
	}
	p := Start(ctx, owner, filepath.Join(PostgresBin, "initdb"), "-D", cluster,
		"-A", "trust", "-U", "bench", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
	if <-p.Ended; p.Err != nil {
		fail.Errorf("initdb: %w\n%s", p.Err, p.Output.String())
	}
}
