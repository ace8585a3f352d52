package pbf

import (
	"context"
	"sync"

	"quartier/ingest/formats/element"
	"quartier/ingest/source"
)

// pass reads a file once: one goroutine reads blobs, several decode them, and that of the caller receives the batches in
// file order. A fixed number of jobs is reused, which bounds memory.
type pass struct {
	file    *File
	want    element.Want
	free    chan *job
	work    chan *job // to the decoders
	ordered chan *job // to the caller, in file order
	index   []entry   // of the blocks so far, for the next pass
}

// job is the reading of one block.
type job struct {
	frame
	blob    []byte
	holds   element.Kinds
	err     error
	decoder decoder
	done    chan struct{} // one value when the job is decoded
}

func newPass(f *File, want element.Want) *pass {
	n := 2*max(f.Workers, 1) + 1
	p := &pass{file: f, want: want, free: make(chan *job, n), work: make(chan *job, n), ordered: make(chan *job, n)}
	for i := range n {
		if i == len(f.jobs) {
			f.jobs = append(f.jobs, &job{done: make(chan struct{}, 1)})
		}
		p.free <- f.jobs[i]
	}
	return p
}

// start starts the reader and the decoders; the returned function waits for their end.
func (p *pass) start(ctx context.Context) (wait func()) {
	var running sync.WaitGroup
	running.Go(func() {
		defer close(p.work)
		defer close(p.ordered)
		p.readAll(ctx)
	})
	for range max(p.file.Workers, 1) {
		running.Go(p.decodeAll)
	}
	return running.Wait
}

// readAll sends a job for each requested block until the file or ctx ends. A block that cannot be read is a job with an
// error, which is returned at its position in the file.
func (p *pass) readAll(ctx context.Context) {
	next := p.sequence()
	for {
		var j *job
		select {
		case j = <-p.free:
		case <-ctx.Done():
			return
		}
		more, err := next(j)
		if !more {
			return
		}
		j.err = err
		if err == nil {
			j.err = p.read(j)
		}
		p.ordered <- j
		p.work <- j
		if j.err != nil {
			return
		}
	}
}

// sequence returns a function that sets the position of the next data block, from the index if there is one.
func (p *pass) sequence() func(*job) (more bool, err error) {
	if p.file.index != nil {
		i := -1
		return func(j *job) (bool, error) {
			for i++; i < len(p.file.index); i++ {
				if p.file.index[i].holds&p.want.Kinds != 0 {
					j.frame = p.file.index[i].frame
					return true, nil
				}
			}
			return false, nil
		}
	}
	offset, scratch := p.file.data, make([]byte, source.MaxPBFHeader)
	return func(j *job) (bool, error) {
		for offset < p.file.size {
			var err error
			if j.frame, err = readFrame(p.file.r, offset, p.file.size, scratch); err != nil {
				return true, err
			}
			offset = j.end()
			if j.kind == "OSMData" {
				return true, nil
			}
		}
		return false, nil
	}
}

func (p *pass) read(j *job) error {
	if cap(j.blob) < j.size {
		j.blob = make([]byte, j.size+j.size/8)
	}
	j.blob = j.blob[:j.size]
	if _, err := p.file.r.ReadAt(j.blob, j.frame.blob); err != nil {
		return readError(j.start, err)
	}
	return nil
}

func (p *pass) decodeAll() {
	var in unpacker
	defer in.close()
	var scratch columns
	for j := range p.work {
		if j.err == nil {
			content, err := in.open(j.blob)
			if err == nil {
				j.decoder.columns = &scratch
				j.holds, err = j.decoder.decode(content, p.want)
			}
			if err != nil {
				j.err = bad(j.start, "%w", err)
			}
		}
		j.done <- struct{}{}
	}
}

// deliver passes the batches to visit in file order.
func (p *pass) deliver(ctx context.Context, visit func(*element.Batch) error) error {
	for {
		var j *job
		var open bool
		select {
		case j, open = <-p.ordered:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := ctx.Err(); err != nil || !open {
			return err
		}
		<-j.done
		if j.err != nil {
			return j.err
		}
		p.index = append(p.index, entry{frame: j.frame, holds: j.holds})
		if j.holds&p.want.Kinds != 0 {
			if err := visit(&j.decoder.batch); err != nil {
				return err
			}
		}
		p.free <- j
	}
}
