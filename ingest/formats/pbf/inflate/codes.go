package inflate

import "encoding/binary"

// The fast loop runs far enough from the ends of both slices to need no checks: one round loads eight bytes twice and
// writes at most two literals and a match of 258 bytes, in words.
const (
	fastIn  = 16
	fastOut = 2 + 258 + 8
)

// codes decodes one compressed block to its end.
func (d *Decoder) codes() error {
	for {
		done, err := d.fast()
		if done || err != nil {
			return err
		}
		if done, err = d.slow(); done || err != nil {
			return err
		}
	}
}

// fast decodes until it is near the end of a slice. It keeps all state in local variables.
func (d *Decoder) fast() (done bool, err error) {
	src, dst, at, out, word, n := d.src, d.dst, d.at, d.out, d.bits, d.n
	lit, dist := &d.lit, &d.dist
	for at+fastIn <= len(src) && out+fastOut <= len(dst) {
		word |= binary.LittleEndian.Uint64(src[at:]) << (n & 63)
		at += int(63-n) >> 3
		n |= 56
		e := lit[word&(1<<litWidth-1)]
		if e.is(literal) { // up to three with short codes, 33 bits; length, distance and their extra bits have up to 48
			word, n = word>>(e.taken()&63), n-e.taken()
			dst[out] = byte(e >> 16)
			out++
			e = lit[word&(1<<litWidth-1)]
			if e.is(literal) {
				word, n = word>>(e.taken()&63), n-e.taken()
				dst[out] = byte(e >> 16)
				out++
				e = lit[word&(1<<litWidth-1)]
				if e.is(literal) {
					word, n = word>>(e.taken()&63), n-e.taken()
					dst[out] = byte(e >> 16)
					out++
					continue
				}
			}
			word |= binary.LittleEndian.Uint64(src[at:]) << (n & 63)
			at += int(63-n) >> 3
			n |= 56
		}
		if e.is(link) {
			e = lit[e.value()+int(word>>litWidth&(1<<e.linkWidth()-1))]
		}
		word, n = word>>(e.taken()&63), n-e.taken()
		if e.is(literal | end | invalid) {
			if e.is(literal) {
				dst[out] = byte(e >> 16)
				out++
				continue
			}
			done = true
			if e.is(invalid) {
				err = ErrFormat
			}
			break
		}
		length := e.value() + int(word&(1<<e.extraBits()-1))
		word, n = word>>e.extraBits(), n-e.extraBits()
		e = dist[word&(1<<distWidth-1)]
		if e.is(link) {
			e = dist[e.value()+int(word>>distWidth&(1<<e.linkWidth()-1))]
		}
		word, n = word>>(e.taken()&63), n-e.taken()
		back := e.value() + int(word&(1<<e.extraBits()-1))
		word, n = word>>e.extraBits(), n-e.extraBits()
		if e.is(invalid) || back > out {
			return true, ErrFormat
		}
		match(dst, out, back, length)
		out += length
	}
	d.at, d.out, d.bits, d.n = at, out, word, n
	return done, err
}

// match copies length bytes from back bytes before out. It overwrites up to eight bytes after them.
func match(dst []byte, out, back, length int) {
	if back < 8 { // the copy reads what it wrote: byte by byte
		from := dst[out-back : out-back+length]
		to := dst[out : out+length]
		for i := range to {
			to[i] = from[i]
		}
		return
	}
	to, from := dst[out:out+length+8], dst[out-back:out-back+length+8]
	for i := 0; i < length; i += 8 {
		binary.LittleEndian.PutUint64(to[i:], binary.LittleEndian.Uint64(from[i:]))
	}
}

// slow decodes one symbol with checks of both ends.
func (d *Decoder) slow() (done bool, err error) {
	d.load()
	e := d.lit[d.bits&(1<<litWidth-1)]
	if e.is(link) {
		e = d.lit[e.value()+int(d.bits>>litWidth&(1<<e.linkWidth()-1))]
	}
	d.take(e.taken())
	switch {
	case d.overrun*8 > d.n:
		return true, ErrShort
	case e.is(end):
		return true, nil
	case e.is(invalid):
		return true, ErrFormat
	case e.is(literal):
		if d.out == len(d.dst) {
			return true, ErrSize
		}
		d.dst[d.out] = byte(e >> 16)
		d.out++
		return false, nil
	}
	length := e.value() + int(d.take(e.extraBits()))
	d.load()
	e = d.dist[d.bits&(1<<distWidth-1)]
	if e.is(link) {
		e = d.dist[e.value()+int(d.bits>>distWidth&(1<<e.linkWidth()-1))]
	}
	d.take(e.taken())
	back := e.value() + int(d.take(e.extraBits()))
	switch {
	case d.overrun*8 > d.n:
		return true, ErrShort
	case e.is(invalid) || back > d.out:
		return true, ErrFormat
	case length > len(d.dst)-d.out:
		return true, ErrSize
	}
	for range length {
		d.dst[d.out] = d.dst[d.out-back]
		d.out++
	}
	return false, nil
}
