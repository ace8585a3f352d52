package fetch

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
)

// mirror has the files of all hosts: that of https://HOST/PATH is at PREFIX/HOST/PATH, or in a folder at HOST/PATH.
type mirror struct {
	base   *url.URL          // nil: a folder
	folder http.RoundTripper // answers from files; nil: a server
	path   string            // of the folder
}

// openMirror opens the mirror of an http or https address, or of a folder; nil for "".
func openMirror(at string) (*mirror, error) {
	if at == "" {
		return nil, nil
	}
	if strings.Contains(at, "://") {
		u, err := url.Parse(at)
		if err != nil {
			return nil, errors.New("the mirror is neither an address nor a folder")
		}
		if err := checkScheme(u); err != nil {
			return nil, fmt.Errorf("mirror: %w", err)
		}
		if u.RawQuery != "" || u.Fragment != "" {
			return nil, fmt.Errorf("mirror: %s has a query", publicAddress(u))
		}
		return &mirror{base: u}, nil
	}
	root, err := os.OpenRoot(at)
	if err != nil {
		return nil, fmt.Errorf("mirror: %w", err)
	}
	return &mirror{path: at, folder: http.NewFileTransportFS(filesOnly{root.FS()})}, nil
}

// is reports whether an address is of the mirror itself, as after a redirect within it.
func (m *mirror) is(u *url.URL) bool {
	return m != nil && m.base != nil && u.Host == m.base.Host && u.Scheme == m.base.Scheme
}

// request is what the mirror is asked for. It gets no passwords, keys or tokens of a publisher.
func (m *mirror) request(req *http.Request) (*http.Request, error) {
	if m.is(req.URL) {
		return req, nil
	}
	out := req.Clone(req.Context())
	out.Header.Del("Authorization")
	out.Host = ""
	u, err := url.Parse(publicAddress(req.URL))
	if err != nil {
		return nil, errors.New("the address is invalid")
	}
	rest := "/" + strings.ToLower(u.Host) + path.Clean("/"+u.Path)
	if m.folder != nil {
		if u.RawQuery != "" {
			rest += "?" + u.RawQuery // as wget names such files
		}
		out.URL = &url.URL{Scheme: "file", Path: rest}
		return out, nil
	}
	out.URL = &url.URL{Scheme: m.base.Scheme, Host: m.base.Host, User: m.base.User, Path: strings.TrimSuffix(m.base.Path, "/") + rest,
		RawQuery: u.RawQuery}
	if m.base.User != nil {
		password, _ := m.base.User.Password()
		out.SetBasicAuth(m.base.User.Username(), password)
	}
	return out, nil
}

// filesOnly is a file system in which folders are not listed.
type filesOnly struct{ fs.FS }

func (f filesOnly) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		file.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return file, nil
}
