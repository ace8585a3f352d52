package explore

import (
	"cmp"
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/paulmach/orb"

	"quartier/internal/pmtiles"
	"quartier/internal/travel"
	"quartier/schemas"
	"quartier/schemas/attributions"
	"quartier/serve/account"
	"quartier/serve/coding"
	"quartier/serve/explore/analysis"
	"quartier/serve/release"
	"quartier/serve/tile"
)

// ReleaseBody is the answer of /explore/release.json: what the page has to know of the release before a place is asked for.
type ReleaseBody struct {
	Release     string            `json:"release"`          // digest of its places
	AsOf        string            `json:"as_of"`            // YYYY-MM-DD
	Countries   []string          `json:"countries"`        // of its geographies that the account may see: "CA", "US"
	Bounds      *[4]float64       `json:"bounds"`           // of these: west, south, east, north; null: none
	Center      *[2]float64       `json:"center"`           // lng, lat of a geography in the middle of them; null: none
	Regions     []Region          `json:"regions"`          // of which it may see something
	Starts      []Start           `json:"starts"`           // places to begin with in all of them; the page opens on the first
	Zooms       map[string][2]int `json:"zooms"`            // of the tiles, by archive; none where there are none
	WideZoom    int               `json:"wide_zoom"`        // of the map: above it there are outlines near the regions alone; 0: everywhere
	Reason      string            `json:"reason,omitempty"` // why there are no tiles, or fewer
	Attribution []string          `json:"attribution"`
	Languages   []string          `json:"languages"`
	Account     string            `json:"account"`   // name of the customer
	Products    []string          `json:"products"`  // of the agreement
	Modes       []string          `json:"modes"`     // of which the release has travel times
	Addresses   bool              `json:"addresses"` // whether the search finds some
	Scores      []string          `json:"scores"`    // of the agreement
	Listings    []string          `json:"listings"`  // geog_ids of the states of which the account may see market statistics
	Against     *Against          `json:"against"`   // with what it is compared; null: nothing
}

// Against is a release with which the one that is served is compared.
type Against struct {
	Release string `json:"release"` // digest
	AsOf    string `json:"as_of"`   // YYYY-MM-DD
}

// ReleaseHeader has the digest of the places of the release from which an answer comes, so that the page notices a swap.
const ReleaseHeader = "Quartier-Release"

// openRelease returns the release that is current by now, which the caller must release by Done, and names it in the answer.
func (e *Explorer) openRelease(v *visit) (*release.Release, error) {
	r := e.releases.Acquire()
	if r == nil {
		return nil, errNoRelease
	}
	v.digest[0] = r.Digest()
	v.W.Header()[ReleaseHeader] = v.digest[:]
	return r, nil
}

// answerRelease describes the current release as the account may see it.
func (e *Explorer) answerRelease(v *visit, _ string) error {
	r := v.release
	if r == nil {
		return errNoRelease
	}
	seen := e.views.of(r, v.account)
	a := &v.account.Agreement
	var against *Against
	if e.against != nil {
		against = &e.against.Against
	}
	zooms, reason := seen.tilesOf(r)
	regions, starts := seen.regionsOf(r)
	lines := []string{} // that a map must show, in the order of the manifest
	for _, line := range attributions.Lines(r.Manifest.Sources) {
		lines = append(lines, line.EN)
	}
	body, err := json.Marshal(ReleaseBody{
		Release: r.Digest(), AsOf: r.Manifest.AsOf, Countries: seen.countries, Bounds: seen.bounds, Center: seen.center,
		Regions: regions, Starts: starts, Zooms: zooms, WideZoom: seen.wideZoom, Reason: reason,
		Attribution: lines, Languages: []string{"en", "fr"},
		Account: v.account.Customer, Products: a.Products, Modes: modesOf(r), Addresses: r.Addresses != nil && a.AllowsProduct("addresses"),
		Scores: a.Scores, Listings: listings(r, a), Against: against,
	})
	if err != nil {
		return err
	}
	header := v.W.Header()
	header["Vary"] = byCoding
	if c := coding.Choose(v.HTTP.Header["Accept-Encoding"], len(body), false); c.Compress != nil {
		header["Content-Encoding"] = c.Header
		body = c.Compress(nil, body, func() bool { return false })
	}
	write(v, http.StatusOK, jsonType, body)
	return nil
}

// modesOf are the modes of which a release has travel times.
func modesOf(r *release.Release) []string {
	modes := []string{}
	for i, name := range travel.Modes {
		if r.Travel != nil && r.Travel.Has(travel.Mode(i)) {
			modes = append(modes, name)
		}
	}
	return modes
}

// listings are the geog_ids of the states with market statistics, in the order of the release, so that the page need not ask where
// the API has none.
func listings(r *release.Release, a *account.Agreement) []string {
	states := []string{}
	if r.Market == nil || !a.AllowsProduct("market_stats") {
		return states
	}
	for i := range r.Geographies.Len() {
		if r.Geographies.Level(i) != schemas.State {
			continue
		}
		if _, superseded := r.Geographies.Superseded(i); superseded {
			continue
		}
		if codes := r.Regions(i); allowsAny(a, codes) && slices.ContainsFunc(codes, r.Market.Table.HasState) {
			states = append(states, r.Geographies.ID(i))
		}
	}
	return states
}

// extent is where the geographies of a release are that an account may see.
type extent struct {
	countries []string
	bounds    *[4]float64
	center    *[2]float64
	partial   bool // the release has geographies that the account may not see
}

// view is what answers about a release to an account have in common.
type view struct {
	digest string
	client *account.Client
	extent
	tag, plainTag string              // ETags of tiles: as they are stored, and without compression
	refused       map[string]*problem // why the account may not have an archive of tiles, by its name
	wideZoom      int                 // ReleaseBody's
	market        *release.Market
	peers         analysis.Peers

	naming  sync.Mutex // of regions, which are made when they are first asked for
	named   bool
	regions []Region
	starts  []Start
}

// regionsOf are the regions of the release of a view, and places to begin with. They are not changed.
func (s *view) regionsOf(r *release.Release) ([]Region, []Start) {
	s.naming.Lock()
	defer s.naming.Unlock()
	if !s.named {
		s.regions, s.starts = RegionsOf(r, &s.client.Agreement), beginningsOf(r, &s.client.Agreement)
		s.named = true
	}
	return s.regions, s.starts
}

// views has the view that was asked for last: all sessions are of one account.
type views struct {
	last   atomic.Pointer[view]
	making sync.Mutex
}

func (x *views) of(r *release.Release, client *account.Client) *view {
	if last := x.last.Load(); last.is(r, client) {
		return last
	}
	x.making.Lock()
	defer x.making.Unlock()
	if last := x.last.Load(); last.is(r, client) { // made while this one waited
		return last
	}
	next := &view{
		digest: r.Digest(), client: client, market: r.Market, extent: newExtent(r, &client.Agreement),
		tag: `"` + r.Digest() + `"`, plainTag: `"` + r.Digest() + `-plain"`, refused: map[string]*problem{},
	}
	for name := range release.TileArchives {
		if why := tile.MayHave(&client.Agreement, name, !next.partial); why != nil {
			next.refused[name] = refusals[why]
		}
	}
	next.wideZoom = wideZoomOf(r.Archives["map"])
	x.last.Store(next)
	return next
}

// wideZoomOf reads the member wide_zoom of the metadata of the map; 0 without a map, or of an older program.
func wideZoomOf(archive *pmtiles.Archive) int {
	var m struct {
		WideZoom int `json:"wide_zoom"`
	}
	if archive == nil {
		return 0
	}
	if data, err := archive.Metadata(); err != nil || json.Unmarshal(data, &m) != nil {
		return 0
	}
	return m.WideZoom
}

// is reports whether a view is that of a release and an account.
func (s *view) is(r *release.Release, client *account.Client) bool {
	return s != nil && s.client == client && s.digest == r.Digest() && s.market == r.Market
}

// newExtent looks at the finest level of which there are geographies, so that the extent is that of the data and not of a
// state around them.
func newExtent(r *release.Release, a *account.Agreement) extent {
	seen := extent{countries: []string{}}
	finest := schemas.Country + 1
	var shown []int
	for i := range r.Geographies.Len() {
		if !allowsAny(a, r.Regions(i)) {
			seen.partial = true
			continue
		}
		if _, superseded := r.Geographies.Superseded(i); superseded {
			continue
		}
		if country := r.Geographies.Country(i); !slices.Contains(seen.countries, country) {
			seen.countries = append(seen.countries, country)
		}
		if level := r.Geographies.Level(i); level <= finest {
			if level < finest {
				finest, shown = level, shown[:0]
			}
			shown = append(shown, i)
		}
	}
	slices.Sort(seen.countries)
	if len(shown) == 0 {
		return seen
	}
	bound := r.Geographies.BBox(shown[0])
	for _, i := range shown {
		bound = bound.Union(r.Geographies.BBox(i))
	}
	middle := middleOf(r, shown)
	seen.bounds = &[4]float64{bound.Min[0], bound.Min[1], bound.Max[0], bound.Max[1]}
	seen.center = &[2]float64{middle[0], middle[1]}
	return seen
}

// middleOf is the centroid of the geography that is nearest to the median longitude and latitude of all.
func middleOf(r *release.Release, all []int) orb.Point {
	median := func(axis int) float64 {
		sorted := slices.SortedFunc(slices.Values(all), func(a, b int) int {
			return cmp.Compare(r.Geographies.Centroid(a)[axis], r.Geographies.Centroid(b)[axis])
		})
		return r.Geographies.Centroid(sorted[len(sorted)/2])[axis]
	}
	lng, lat := median(0), median(1)
	away := func(i int) float64 {
		p := r.Geographies.Centroid(i)
		return math.Hypot((p[0]-lng)*math.Cos(lat*math.Pi/180), p[1]-lat)
	}
	return r.Geographies.Centroid(slices.MinFunc(all, func(a, b int) int { return cmp.Compare(away(a), away(b)) }))
}

// allowsAny reports whether an agreement includes one of some regions.
func allowsAny(a *account.Agreement, codes []string) bool {
	if a.Unrestricted() {
		return true
	}
	return slices.ContainsFunc(codes, func(code string) bool {
		return slices.ContainsFunc(a.Regions, func(allowed string) bool { return schemas.RegionMatches(code, allowed) })
	})
}
