package serve_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"quartier/serve/account"
)

// signed is the path and query of a card, in the order and with the escapes of what is signed, as a back end makes it.
func signed(made account.AccessCredentials, path string, params map[string]string) string {
	var names []string
	for name := range params {
		names = append(names, name)
	}
	sort.Strings(names)
	text := path
	for i, name := range names {
		text += map[bool]string{true: "?", false: "&"}[i == 0] + name + "=" + strings.ReplaceAll(url.QueryEscape(params[name]), "+", "%20")
	}
	mac := hmac.New(sha256.New, []byte(made.Secret))
	mac.Write([]byte(text))
	return text + "&signature=" + hex.EncodeToString(mac.Sum(nil))
}

// cardParams are those of a card in the north, which expires in an hour.
func cardParams(made account.AccessCredentials, more ...string) map[string]string {
	params := map[string]string{"lat": "45.2", "lng": "-72.8", "key": made.Key, "expires": fmt.Sprint(time.Now().Add(time.Hour).Unix())}
	for i := 0; i < len(more); i += 2 {
		params[more[i]] = more[i+1]
	}
	return params
}

func newCardAPI(t testing.TB) (*keyedAPI, account.AccessCredentials) {
	k := newKeyedAPI(t)
	made := k.create("full", account.AccessKey{Kind: account.Signing, Rate: 1_000_000})
	must(t, k.live.Refresh(context.Background()))
	return k, made
}

// TestCards draws cards in both languages, themes and forms.
func TestCards(t *testing.T) {
	k, made := newCardAPI(t)
	for _, language := range []string{"en", "fr"} {
		for _, theme := range []string{"light", "dark"} {
			for ending, media := range map[string]string{"svg": "image/svg+xml", "png": "image/png"} {
				target := signed(made, "/v3/card."+ending, cardParams(made, "lang", language, "theme", theme))
				got := k.get("", target, "Accept: image/avif,image/webp,*/*;q=0.8")
				if got.status != 200 || got.header.Get("Content-Type") != media || len(got.body) > 30_000 ||
					got.header.Get("X-Content-Type-Options") != "nosniff" || got.header.Get("Vary") != "Accept-Encoding" {
					t.Fatalf("%s: %d, %d bytes, %v", target, got.status, len(got.body), got.header)
				}
				var age int
				if _, err := fmt.Sscanf(got.header.Get("Cache-Control"), "public, max-age=%d", &age); err != nil || age < 3590 || age > 3600 {
					t.Errorf("Cache-Control %s", got.header.Get("Cache-Control"))
				}
				if again := k.get("", target); again.body != got.body {
					t.Errorf("%s is another picture when it is drawn again", target)
				}
				if folder := os.Getenv("QUARTIER_PICTURES"); folder != "" {
					must(t, os.WriteFile(filepath.Join(folder, "card-"+language+"-"+theme+"."+ending), []byte(got.body), 0o644))
				}
				if ending == "png" {
					picture, err := png.Decode(strings.NewReader(got.body))
					must(t, err)
					if size := picture.Bounds().Size(); size.X != 1200 || size.Y != 630 {
						t.Errorf("%v pixels", size)
					}
					continue
				}
				checkSVG(t, got.body)
				for _, text := range map[string][]string{"en": {"Transit friendly", ">Northville", "Data as of", "from 0 to 5"},
					"fr": {"Bien desservi", ">Villenord", "Données au"}}[language] {
					if !strings.Contains(got.body, text) {
						t.Errorf("%s: no %q in %s", target, text, got.body)
					}
				}
			}
		}
	}
	if got := k.get("", signed(made, "/v3/card.png", cardParams(made, "lat", "10", "lng", "10"))).status; got != 404 {
		t.Errorf("outside: %d", got)
	}
	if got := k.get("", signed(made, "/v3/card.png", cardParams(made, "lat", "45.9", "lng", "-72"))).status; got != 204 {
		t.Errorf("without a street: %d", got)
	}
	if got := k.get("full", "/v3/card.png?"+north).status; got != 200 {
		t.Errorf("by a token: %d", got)
	}
	for log, text := range map[string]string{"access": k.access.String(), "errors": k.log.String()} {
		if strings.Contains(text, made.Secret) || strings.Contains(text, "signature") {
			t.Errorf("the log of %s has a secret or a signature", log)
		}
	}
}

// checkSVG looks for elements and addresses that a picture must not have.
func checkSVG(t *testing.T, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		must(t, err)
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if !strings.Contains(" svg title desc style rect text ", " "+start.Name.Local+" ") {
			t.Errorf("the element %s", start.Name.Local)
		}
		for _, a := range start.Attr {
			if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" {
				t.Errorf("the attribute %s of %s", a.Name.Local, start.Name.Local)
			}
		}
	}
	rest := strings.ReplaceAll(strings.ReplaceAll(text, `xmlns="http://www.w3.org/2000/svg"`, ""), "url(data:font/woff2;base64,", "")
	for _, bad := range []string{"http:", "https:", "url(", "@import", "<script"} {
		if strings.Contains(rest, bad) {
			t.Errorf("the picture has %s", bad)
		}
	}
}

// TestAttacksOnCards changes what was signed.
func TestAttacksOnCards(t *testing.T) {
	k, made := newCardAPI(t)
	other := k.create("globex", account.AccessKey{Kind: account.Signing, Rate: 1_000_000})
	revoked := k.create("acme", account.AccessKey{Kind: account.Signing, Rate: 1_000_000})
	must(t, k.store.RevokeKey(revoked.Key))
	must(t, k.live.Refresh(context.Background()))
	good := signed(made, "/v3/card.svg", cardParams(made, "lang", "fr"))
	ago := func(d time.Duration) string { return fmt.Sprint(time.Now().Add(-d).Unix()) }
	path, query, _ := strings.Cut(good, "?")
	pairs := strings.Split(query, "&")
	reversed := []string{}
	for _, pair := range pairs {
		reversed = append([]string{pair}, reversed...)
	}
	replace := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("no %s in %s", old, good)
		}
		return strings.Replace(good, old, new, 1)
	}
	for name, c := range map[string]struct {
		target string
		status int // 0: 403
	}{
		"as it was signed":                {good, 200},
		"in another order":                {path + "?" + strings.Join(reversed, "&"), 200},
		"with other escapes":              {replace("lat=45.2", "l%61t=45%2e2"), 200},
		"with an Origin and a referrer":   {good, 200},
		"another latitude":                {replace("lat=45.2", "lat=45.3"), 0},
		"the same latitude, other digits": {replace("lat=45.2", "lat=45.20"), 0},
		"another language":                {replace("lang=fr", "lang=en"), 0},
		"no language":                     {replace("lang=fr&", ""), 0},
		"an empty language":               {replace("lang=fr", "lang="), 0},
		"a theme":                         {good + "&theme=dark", 0},
		"an unknown parameter":            {good + "&x=1", 0},
		"a parameter without a value":     {good + "&x", 0},
		"an empty parameter":              {good + "&", 0},
		"a parameter twice":               {good + "&lang=fr", 0},
		"a parameter twice, escaped":      {good + "&l%61ng=fr", 0},
		"a key twice":                     {good + "&key=" + made.Key, 0},
		"a signature twice":               {good + "&signature=" + good[len(good)-64:], 0},
		"a wrong escape":                  {replace("lang=fr", "lang=%zz"), 0},
		"a plus for a space":              {replace("lang=fr", "lang=fr+"), 0},
		"a name in capitals":              {replace("lang=fr", "LANG=fr"), 0},
		"another path":                    {replace("card.svg", "card.png"), 0},
		"a shorter signature":             {good[:len(good)-2], 0},
		"a longer signature":              {good + "00", 0},
		"a signature in capitals":         {good[:len(good)-64] + strings.ToUpper(good[len(good)-64:]), 0},
		"no signature":                    {good[:len(good)-64-len("&signature=")], 0},
		"an empty signature":              {good[:len(good)-64], 0},
		"nothing but the key":             {path + "?key=" + made.Key, 0},
		"no key":                          {replace("key="+made.Key+"&", ""), 0},
		"the key of another":              {replace(made.Key, other.Key), 0},
		"the secret of another":           {signed(account.AccessCredentials{Secret: other.Secret}, path, cardParams(made)), 0},
		"the key for a secret":            {signed(account.AccessCredentials{Secret: made.Key}, path, cardParams(made)), 0},
		"no secret":                       {signed(account.AccessCredentials{}, path, cardParams(made)), 0},
		"a publishable key":               {signed(made, path, cardParams(made, "key", k.keys["full"])), 0},
		"a revoked key":                   {signed(revoked, path, cardParams(revoked)), 0},
		"an unknown key":                  {signed(made, path, cardParams(made, "key", "qs_nothing")), 0},
		"expired":                         {signed(made, path, cardParams(made, "expires", ago(time.Second))), 0},
		"expires too late":                {signed(made, path, cardParams(made, "expires", ago(-401*24*time.Hour))), 0},
		"expires at the end of time":      {signed(made, path, cardParams(made, "expires", "9223372036854775807")), 0},
		"expires after the end of time":   {signed(made, path, cardParams(made, "expires", "99999999999999999999")), 0},
		"expires with a sign":             {signed(made, path, cardParams(made, "expires", "+"+ago(-time.Hour))), 0},
		"expires with a zero":             {signed(made, path, cardParams(made, "expires", "0"+ago(-time.Hour))), 0},
		"expires in words":                {signed(made, path, cardParams(made, "expires", "never")), 0},
		"an empty expires":                {signed(made, path, cardParams(made, "expires", "")), 0},
		"expires moved":                   {replace("expires=", "expires=9"), 0},
		"overlong":                        {signed(made, path, cardParams(made, "x", strings.Repeat("x", 2048))), 0},
		"scores with a card's key":        {signed(made, "/v3/scores", cardParams(made)), 0},
		"a place that there is not":       {signed(made, path, cardParams(made, "lat", "91")), 422},
		"no place":                        {signed(made, path, cardParams(made, "lat", "")), 400},
		"a language that there is not":    {signed(made, path, cardParams(made, "lang", "de")), 400},
	} {
		got := k.get("", c.target, "Origin: https://evil.example")
		want := c.status
		if want == 0 {
			want = http.StatusForbidden
		}
		if got.status != want {
			t.Errorf("%s: %d %.200s, want %d", name, got.status, got.body, want)
		}
		if want != 200 && !strings.HasPrefix(got.body, "{") || got.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %.200s %v", name, got.body, got.header)
		}
	}
	if got := k.get("", good, "Authorization: Bearer "+k.tokens["full"]).status; got != http.StatusForbidden {
		t.Errorf("a signature and a token: %d", got)
	}
	for method, want := range map[string]int{"HEAD": 200, "POST": 405, "OPTIONS": 405} {
		if got := k.do("", method, good).status; got != want {
			t.Errorf("%s: %d", method, got)
		}
	}
}

// TestSignaturesOfTheManual runs the programs of docs/portal-keys.md that sign an address, and asks for it.
func TestSignaturesOfTheManual(t *testing.T) {
	manual, err := os.ReadFile("../docs/portal-keys.md")
	must(t, err)
	k, made := newCardAPI(t)
	for fence, program := range map[string][]string{"```sh sign\n": {"sh", "-c"}, "```python\n": {"python3", "-c"}} {
		_, after, found := strings.Cut(string(manual), fence)
		code, _, ended := strings.Cut(after, "```")
		if !found || !ended {
			t.Fatalf("no block %q", fence)
		}
		command := exec.Command(program[0], append(program[1:], code)...)
		command.Env = append(os.Environ(), "QUARTIER_KEY="+made.Key, "QUARTIER_SECRET="+made.Secret)
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", program[0], err, out)
		}
		if got := k.get("", strings.TrimSpace(string(out))); got.status != 200 {
			t.Errorf("%s: %s: %d %s", program[0], out, got.status, got.body)
		}
	}
}
