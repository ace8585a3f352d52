package entry

import (
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"time"

	"quartier/serve/account"
	"quartier/serve/admit"
)

// Pass is what one request has of the server; it is an endpoint.Share. Its memory can be used again after Reset.
type Pass struct {
	Start  time.Time // of the request
	Client *Client   // nil without a valid token or key
	Until  time.Time // when the signature of the request expires; zero: it has none

	door     *Door
	http     *http.Request
	header   http.Header // of the answer
	ticket   admit.Ticket
	admitted bool
	over     bool      // work was stopped
	reported [1]string // RateLimit: a slice of it is not allocated
}

// Begin makes p the pass of a request that begins, and is not admitted. header is that of its answer.
func (d *Door) Begin(p *Pass, in *http.Request, header http.Header) {
	p.Start, p.door, p.http, p.header = d.Now(), d, in, header
}

// Reset forgets the request.
func (p *Pass) Reset() {
	p.Client, p.Until, p.door, p.http, p.header, p.admitted, p.over = nil, time.Time{}, nil, nil, nil, false, false
}

// Admit identifies the client, unless AuthenticateKey has, as the account as or, where that is nil, by its token; applies its rate
// limit; and waits until there is capacity for a request of that cost.
func (p *Pass) Admit(as *account.Client, cost *admit.Cost) error {
	if err := p.Authenticate(as); err != nil {
		return err
	}
	if err := p.CheckFields(); err != nil {
		return err
	}
	if err := p.limit(); err != nil {
		return err
	}
	if err := p.door.gate.Enter(p.http.Context(), &p.ticket, p.Client.holds, cost, p.Start); err != nil {
		return ErrUnavailable
	}
	p.door.admitted.count(p.Client, as != nil)
	p.admitted = true
	return nil
}

// Authenticate identifies the client, as Admit does.
func (p *Pass) Authenticate(as *account.Client) error {
	d := p.door
	if p.Client != nil { // by a key
		return nil
	}
	if as != nil {
		p.Client = d.clientOf(as)
		return nil
	}
	authorization := p.http.Header["Authorization"]
	if len(authorization) != 1 {
		return ErrForbidden
	}
	client := d.Authority.Recall(authorization[0], p.Start)
	if client == nil {
		if err := p.LimitStranger(unknownToken); err != nil {
			return err
		}
		var err error
		if client, err = d.Authority.Authenticate(p.http.Context(), authorization[0]); errors.Is(err, account.ErrStale) {
			return err
		}
		if err != nil || client == nil {
			return ErrForbidden
		}
	}
	p.Client = d.clientOf(client)
	admit.ConnOf(p.http.Context()).Show(p.Client.Customer, p.Start)
	return nil
}

// maxField is the maximum length of one of the boundedFields, in bytes: fifty ETags.
const maxField = 4 << 10

// boundedFields are the header fields that are read as lists or conditions, or will be by somebody's cache.
var boundedFields = []string{"Accept", "Accept-Encoding", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range",
	"If-Unmodified-Since"}

// CheckFields refuses a request with a header field that would be expensive to read, and names the field (RFC 6585, 5).
func (p *Pass) CheckFields() error {
	for _, name := range boundedFields {
		length := 0
		for _, line := range p.http.Header[name] {
			length += len(line)
		}
		if length > maxField {
			return fmt.Errorf("%w: %s", ErrHeader, name)
		}
	}
	return nil
}

// Now is the time. It reads one clock where that of the Door reads two.
func (p *Pass) Now() time.Time { return p.door.later(p.Start) }

// Work, Long, Rest and Hold are those of endpoint.Share.
func (p *Pass) Work() error { return unavailable(p.ticket.Work(p.http.Context(), p.Now())) }

// Long takes the processor of the request for work that does not let others have their turn.
func (p *Pass) Long() error { return unavailable(p.ticket.Long(p.http.Context(), p.Now())) }

// Rest gives the processor of the request back.
func (p *Pass) Rest() { p.ticket.Rest(p.Now()) }

// Hold counts the memory of a body.
func (p *Pass) Hold(bytes int) error { return unavailable(p.ticket.Hold(int64(bytes))) }

// Stopped reports whether work on the request should end. What is made of it then is not sent.
func (p *Pass) Stopped() bool {
	runtime.Gosched() // those whose turn it is need not wait until the scheduler takes the processor, after 10 ms
	if !p.over && p.admitted {
		p.over = p.ticket.Over(p.http.Context(), p.door.Now()) != nil
	}
	return p.over
}

// Over reports whether work was stopped: what there is of the answer is wrong.
func (p *Pass) Over() bool { return p.over }

// Made says that the work on an admitted request has ended and its answer, which takes some bytes, can be sent. It fails if
// the customer has too many answers in memory already.
func (p *Pass) Made(bytes int) error {
	if !p.admitted {
		return nil
	}
	return unavailable(p.ticket.Made(int64(bytes), p.Now()))
}

// Leave gives back what an admitted request holds.
func (p *Pass) Leave(now time.Time) {
	if p.admitted {
		p.admitted = false
		p.ticket.Leave(now)
	}
}

// unavailable is ErrUnavailable in the place of an error of package admit.
func unavailable(err error) error {
	if err != nil {
		return ErrUnavailable
	}
	return nil
}
