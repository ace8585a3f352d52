package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"quartier/cmd/quartier/summary"
	"quartier/ingest"
	"quartier/ingest/fetch"
)

func fetchCommand() *cli.Command {
	return &cli.Command{
		Name: "fetch",
		Usage: "download the sources that have a url in the region files, verify their sha256 and resume interrupted downloads; of Web APIs, " +
			"what changed since the last time",
		Flags: append(regionFlags(), logFlag()),
		Action: func(c *cli.Context) error {
			log, err := logger(c)
			if err != nil {
				return err
			}
			release, err := selection(c)
			if err != nil {
				return err
			}
			for _, region := range release.regions {
				for i := range region.Sources {
					s := &region.Sources[i]
					if s.URL == "" {
						continue
					}
					get := fetchFile
					if s.IsQuery() {
						get = fetchPages
					}
					if err := get(c.Context, s, log.With("region", region.Name, "source", s.ID)); err != nil {
						return fmt.Errorf("fetch source %s of region %s: %w", s.ID, region.Name, err)
					}
				}
			}
			return nil
		},
	}
}

// fetchEvery is the interval of messages.
const fetchEvery = 5 * time.Second

func fetchFile(ctx context.Context, s *ingest.Source, log *slog.Logger) error {
	last := time.Now()
	request := fetch.Request{URL: s.URL, SHA256: s.SHA256, Dest: s.Path}
	err := fetch.Get(ctx, request, func(done, total int64) {
		if time.Since(last) >= fetchEvery {
			last = time.Now()
			log.Info("downloading", "done", summary.Bytes(done), "of", sizeText(total))
		}
	})
	if err == nil {
		log.Info("downloaded", "to", s.Path)
	}
	return err
}

// fetchPages fetches what is new of a Web API. Its token is in no message.
func fetchPages(ctx context.Context, s *ingest.Source, log *slog.Logger) error {
	query := fetch.Query{URL: s.URL, Folder: s.Path}
	if s.TokenEnv != "" {
		if query.Token = os.Getenv(s.TokenEnv); query.Token == "" {
			return usageError{fmt.Errorf("the environment variable %s, which has its token, is not set", s.TokenEnv)}
		}
	}
	last := time.Now()
	got, err := fetch.GetPages(ctx, query, func(f fetch.Fetched) {
		if time.Since(last) >= fetchEvery {
			last = time.Now()
			log.Info("fetching", "pages", f.Pages, "records", f.Records)
		}
	})
	if err == nil {
		log.Info("fetched", "pages", got.Pages, "records", got.Records, "since", got.Since, "resumed", got.Resumed, "to", s.Path)
	}
	return err
}

func sizeText(total int64) string {
	if total < 0 {
		return "unknown"
	}
	return summary.Bytes(total)
}
