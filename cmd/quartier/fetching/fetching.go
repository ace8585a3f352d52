// Package fetching is what `quartier fetch` does: it gets the files of the sources of regions, of several hosts at a time, pins
// them, and says how far it is and what lacks at the end.
package fetching

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync"

	"quartier/ingest"
	"quartier/ingest/fetch"
	"quartier/ingest/source"
)

// ErrLacking is the error of a run after which files lack.
var ErrLacking = errors.New("not fetched")

// Lacking has an error for each source whose file lacks, in their order. It is an ErrLacking.
type Lacking struct {
	Errs []error
	Of   int // sources with a url
}

// Error gives each error its line.
func (l *Lacking) Error() string {
	text := fmt.Sprintf("%d of %d sources were %v:", len(l.Errs), l.Of, ErrLacking)
	for _, err := range l.Errs {
		text += "\n  " + err.Error()
	}
	return text
}

// Unwrap returns the errors and ErrLacking.
func (l *Lacking) Unwrap() []error { return append([]error{ErrLacking}, l.Errs...) }

// Run gets the files of the sources that have a url.
type Run struct {
	Session *fetch.Session
	Regions []*ingest.Region
	Pin     bool                     // write what files were that nobody knew into the locks of the regions
	Token   func(name string) string // of a Web API, by the name of its variable
	Log     *slog.Logger
	Screen  *Screen // for progress; nil: the log
}

// Result is what became of a source.
type Result struct {
	Region  *ingest.Region
	Source  *ingest.Source
	Taken   fetch.Taken
	Fetched fetch.Fetched // of a Web API
	Err     error
}

// mostHosts are asked at a time.
const mostHosts = 8

// job is one file, of one or more sources.
type job struct {
	file    fetch.File
	results []*Result
}

// Do gets the files and returns what became of each source, in their order, also with an error: a *Lacking, or that of ctx.
func (r *Run) Do(ctx context.Context) ([]Result, error) {
	results := r.sources()
	hosts, queues := r.queues(results)
	meter := newMeter(len(results), r.Screen, r.Log)
	stop := meter.start()
	var group sync.WaitGroup
	places := make(chan struct{}, mostHosts)
	for _, host := range hosts {
		group.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			for _, j := range queues[host] {
				r.one(ctx, j, meter)
			}
		})
	}
	group.Wait()
	stop()
	if err := context.Cause(ctx); err != nil {
		return results, err
	}
	lacking := &Lacking{Of: len(results)}
	for i := range results {
		if err := results[i].Err; err != nil {
			lacking.Errs = append(lacking.Errs, err)
		}
	}
	if len(lacking.Errs) > 0 {
		return results, lacking
	}
	return results, nil
}

// sources are those with a url, in the order of the regions.
func (r *Run) sources() (list []Result) {
	for _, region := range r.Regions {
		for i := range region.Sources {
			if region.Sources[i].URL != "" {
				list = append(list, Result{Region: region, Source: &region.Sources[i]})
			}
		}
	}
	return list
}

// queues are the jobs of each host, one after another. Sources with the same file share it.
func (r *Run) queues(results []Result) (hosts []string, queues map[string][]*job) {
	queues = map[string][]*job{}
	shared := map[fetch.File]*job{}
	for i := range results {
		s := results[i].Source
		file := FileOf(s)
		key := file
		key.ID, key.Page = "", ""
		if j := shared[key]; j != nil && !s.IsQuery() {
			j.results = append(j.results, &results[i])
			continue
		}
		shared[key] = &job{file, []*Result{&results[i]}}
		host := ""
		if u, err := url.Parse(s.URL); err == nil {
			host = strings.ToLower(u.Host)
		}
		if queues[host] == nil {
			hosts = append(hosts, host)
		}
		queues[host] = append(queues[host], shared[key])
	}
	return hosts, queues
}

// FileOf is the file of a source with a URL.
func FileOf(s *ingest.Source) fetch.File {
	f := fetch.File{ID: s.ID, URL: s.URL, Page: s.Page, Name: s.FileName(), Ending: cmp.Or(endings[s.FileName()], endings[s.Kind]),
		Dest: s.Path}
	if f.Pinned.SHA256 = s.SHA256; s.Pin != nil {
		f.Pinned = fetch.Version{SHA256: s.Pin.SHA256, Bytes: s.Pin.Bytes, Date: s.Pin.Date, ETag: s.Pin.ETag}
	}
	return f
}

// endings are those of files of kinds that have no other, and of a form of Statistics Canada, where an address does not show it.
var endings = map[string]string{"gtfs": ".zip", "GetFile.cfm": ".zip"}

// one does a job and pins its file.
func (r *Run) one(ctx context.Context, j *job, meter *meter) {
	first := j.results[0]
	label := j.file.ID
	if len(r.Regions) > 1 {
		label = first.Region.Name + "/" + label
	}
	progress := meter.begin(label, j.file.Pinned.Bytes)
	if s := first.Source; s.IsQuery() {
		first.Fetched, first.Err = r.pages(ctx, s)
	} else {
		first.Taken, first.Err = r.Session.Get(ctx, j.file, progress)
	}
	for _, result := range j.results {
		result.Taken, result.Err = first.Taken, first.Err
		if result.Err == nil && r.Pin && !result.Source.IsQuery() {
			result.Err = pin(result)
		}
	}
	meter.end(label, len(j.results))
	log := r.Log.With("region", first.Region.Name, "source", first.Source.ID)
	switch {
	case ctx.Err() != nil:
	case first.Err != nil:
		log.Warn("not fetched", "state", State(*first)) // the error is reported at the end
	case first.Source.IsQuery():
		got := first.Fetched
		log.Info("fetched", "pages", got.Pages, "records", got.Records, "since", got.Since, "resumed", got.Resumed, "to", first.Source.Path)
	case first.Taken.From != fetch.FromCache:
		log.Info("downloaded", "from", string(first.Taken.From), "to", first.Taken.Path)
	}
}

// pin writes what the file of a source is into the lock of its region, unless it is known already.
func pin(result *Result) error {
	s, taken := result.Source, result.Taken
	if s.Pin != nil || s.SHA256 != "" && taken.Date == "" {
		return nil
	}
	p := ingest.Pin{ID: s.ID, URL: source.PublicURL(s.URL), SHA256: taken.SHA256, Bytes: taken.Bytes, Date: taken.Date, ETag: taken.ETag}
	if taken.Name != s.FileName() {
		p.File = taken.Name
	}
	if err := ingest.WritePin(result.Region.File, p); err != nil {
		return fmt.Errorf("source %s: pin %s: %w", s.ID, taken.Path, err)
	}
	return nil
}

// pages fetches what is new of a Web API. Its token is in no message.
func (r *Run) pages(ctx context.Context, s *ingest.Source) (fetch.Fetched, error) {
	query := fetch.Query{URL: s.URL, Folder: s.Path}
	if s.TokenEnv != "" {
		query.Token = r.Token(s.TokenEnv)
	}
	last := newEvery(logEvery)
	got, err := r.Session.Pages(ctx, query, func(f fetch.Fetched) {
		if last.due() {
			r.Log.Info("fetching", "source", s.ID, "pages", f.Pages, "records", f.Records)
		}
	})
	if err != nil {
		err = fmt.Errorf("source %s: %w", s.ID, err)
	}
	return got, err
}
