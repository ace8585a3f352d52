package attack

import (
	"net"

	"quartier/bench/fail"
)

// Connect lets a customer act over one connection until it fails.
func (a Attack) Connect(addr, token string) {
	run := &attacker{addr: addr, token: token}
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return
	}
	defer conn.Close()
	fail.Try(func() { a.make(run)(conn) }) // the test may have closed the connection
}
