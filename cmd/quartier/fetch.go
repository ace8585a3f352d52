package main

import (
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"quartier/ingest/fetch"
)

func fetchCommand() *cli.Command {
	return &cli.Command{
		Name:  "fetch",
		Usage: "download the sources that have a url in the region files, verify their sha256 and resume interrupted downloads",
		Flags: append(regionFlags(), logFlag()),
		Action: func(c *cli.Context) error {
			log, err := logger(c)
			if err != nil {
				return err
			}
			_, regions, err := selection(c)
			if err != nil {
				return err
			}
			for _, region := range regions {
				for _, s := range region.Sources {
					if s.URL == "" {
						continue
					}
					log := log.With("region", region.Name, "source", s.ID)
					last := time.Now()
					request := fetch.Request{URL: s.URL, SHA256: s.SHA256, Dest: s.Path}
					err := fetch.Get(c.Context, request, func(done, total int64) {
						if time.Since(last) < 5*time.Second {
							return
						}
						last = time.Now()
						log.Info("downloading", "done", bytesText(done), "of", sizeText(total))
					})
					if err != nil {
						return fmt.Errorf("fetch source %s of region %s: %w", s.ID, region.Name, err)
					}
					log.Info("downloaded", "to", s.Path)
				}
			}
			return nil
		},
	}
}

func sizeText(total int64) string {
	if total < 0 {
		return "unknown"
	}
	return bytesText(total)
}
