package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"quartier/build/diff"
	"quartier/build/explain"
	"quartier/internal/wording"
	"quartier/schemas"
	"quartier/serve/explore"
)

// Of what /explore compares: outlines and moves are many where a release is large.
const (
	mostOutlines = 200
	mostMoves    = 20
)

// comparison is that with --explore-against; nil without it.
func (c exploreConfig) comparison() (*explore.Comparison, error) {
	if c.Against == "" {
		return nil, nil
	}
	older, err := diff.FoldersOf(c.Against)
	if err != nil {
		return nil, cli.Exit(fmt.Sprintf("--explore-against: %v", err), exitRelease)
	}
	manifest, err := schemas.ReadAnyManifest(older.Places)
	if err != nil {
		return nil, cli.Exit(fmt.Sprintf("--explore-against: %v", err), exitRelease)
	}
	compare := func(ctx context.Context, places, market string) ([]byte, error) {
		before := older
		if market == "" {
			before.Market = ""
		}
		report, err := diff.Releases(ctx, before, diff.Folders{Places: places, Market: market},
			diff.Options{Outlines: mostOutlines, Moves: mostMoves, Geometry: true})
		if err != nil {
			return nil, err
		}
		var out bytes.Buffer
		err = report.WriteJSON(&out)
		return out.Bytes(), err
	}
	return &explore.Comparison{Against: explore.Against{Release: manifest.Digest, AsOf: manifest.AsOf}, Compare: compare}, nil
}

// explainer explains a release for the explorer.
type explainer struct{ *explain.Reader }

func openExplainer(dir string) (explore.Explainer, error) {
	reader, err := explain.Open(dir)
	if errors.Is(err, explain.ErrCalibration) {
		return nil, fmt.Errorf("%w: %w", explore.ErrNotExplained, err)
	}
	if err != nil {
		return nil, err
	}
	return explainer{reader}, nil
}

// Explain is that of quartier explain in a language, without what may not be shown.
func (x explainer) Explain(ctx context.Context, lng, lat float64, scores []string, language string,
	mayShow func(lng, lat float64) bool) ([]byte, error) {
	var channels []schemas.Channel
	for _, name := range scores {
		channel, ok := schemas.ChannelOf(name)
		if !ok {
			return nil, fmt.Errorf("explain %q: it is no score", name)
		}
		channels = append(channels, channel)
	}
	reader := x.Reader
	if language == "fr" {
		reader = reader.In(wording.French)
	}
	report, err := reader.Explain(ctx, lng, lat, channels)
	if errors.Is(err, explain.ErrNoStreet) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	report.Hide(mayShow)
	return json.Marshal(report)
}
