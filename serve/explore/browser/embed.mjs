// The web components on pages of other origins, under policies that allow nothing but what they need.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { accessible, fits, launch, patience, picture, shared, shut } from './open.mjs';

const { api, portal, other, keys, tile, lat, lng, hostile } = JSON.parse(process.env.QUARTIER_EMBED);
const source = await (await fetch(api + '/embed/v1/')).text();
const [script] = source.match(/<script type="module" src="\/embed\/v1\/quartier-[^>]*>/);
const tag = script.replace('src="', `src="${api}`) + '</script>';

// quoted is an element with attributes.
const quoted = (name, attributes) => `<${name}` + Object.entries(attributes).map(([key, value]) => ` ${key}="${String(value).replace(/&/g, '&amp;').replace(/"/g, '&quot;')}"`).join('') + `></${name}>`;
const scoresOf = attributes => tag + quoted('quartier-scores', { lat, lng, key: keys.portal, ...attributes });

// open opens a window: {page, watched, close}. What is thrown, written as an error or refused by the policy fails the test when it is
// closed, but what is expected.
async function open({ width = 700, dark = false, browser, expected = /^$/ } = {}) {
  const context = await (browser ?? await shared()).newContext({ viewport: { width, height: 900 }, colorScheme: dark ? 'dark' : 'light', locale: 'en-CA', reducedMotion: 'reduce' });
  context.setDefaultTimeout(Math.min(patience, 60_000));
  const watched = { requests: [], errors: [] };
  context.on('request', request => watched.requests.push(request.url()));
  context.on('weberror', event => watched.errors.push(String(event.error().stack ?? event.error())));
  context.on('console', message => { if (['error', 'warning'].includes(message.type()) && !/GL Driver Message|WebGL/.test(message.text())) watched.errors.push(message.text()); });
  await context.addInitScript(() => {
    globalThis.happened = [];
    globalThis.shifted = [];
    for (const name of ['quartier-load', 'quartier-error']) addEventListener(name, event => happened.push([name, event.detail]));
    document.addEventListener('securitypolicyviolation', event => console.error(`the policy ${event.effectiveDirective} refuses ${event.blockedURI}`));
    new PerformanceObserver(list => { for (const one of list.getEntries()) shifted.push([one.value, ...one.sources.map(({ node, previousRect: a, currentRect: b }) => `${node?.className} ${[a.x, a.y, a.width, a.height]} to ${[b.x, b.y, b.width, b.height]}`)]); }).observe({ type: 'layout-shift', buffered: true });
  });
  const page = await context.newPage();
  const close = async () => {
    assert.deepEqual(await context.cookies(), [], 'cookies');
    await shut(context);
    assert.deepEqual(watched.errors.filter(text => !expected.test(text)), [], 'errors, and what the policy refused');
    for (const url of watched.requests) assert.ok([api, portal, other, 'data:', 'blob:'].some(known => url.startsWith(known)), 'a request to ' + url);
  };
  return { context, page, watched, close, asked: () => watched.requests.filter(url => url.startsWith(api + '/v3/')) };
}

const visit = (page, body, { site = portal, path = '/' } = {}) => page.goto(site + path + '?' + new URLSearchParams({ body }));

// settled waits until an element has shown or refused something for the nth time, and returns that event.
const settled = async (page, n = 1) => (await (await page.waitForFunction(n => globalThis.happened?.length >= n && happened[n - 1], n)).jsonValue());

// seen is what the element shows.
const seen = (page, name = 'quartier-scores') => page.evaluate(name => {
  const root = document.querySelector(name).shadowRoot, text = (at, selector) => at.querySelector(selector)?.innerText.trim() ?? '';
  const state = root.querySelector('.state');
  return {
    sentence: state.classList.contains('unseen') ? '' : state.innerText, heard: state.innerText, title: text(root, '.title'), date: text(root, '.date'), footer: text(root, '.footer'),
    rows: [...root.querySelectorAll('.list:not([hidden]) .item')].map(row => ({ id: row.dataset.score, label: text(row, '.label'), value: text(row, '.value b') || text(row, '.value'), words: text(row, '.words') })),
    markup: root.querySelectorAll('img, script, iframe, a, b *').length,
  };
}, name);

const refusedLoad = /Failed to load resource|blocked by CORS policy/;
const oneDecimal = (value, language = 'en') => new Intl.NumberFormat(language + '-CA', { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);

// answered is what the API answers a page of the portal.
const answered = async language => (await (await fetch(`${api}/v3/scores?lat=${lat}&lng=${lng}&language=${language}&location_scores_rounding=none&key=${keys.portal}`, { headers: { Origin: portal } })).json()).data.location;

test('the scores of a place are on a page of the origin of the key', async () => {
  for (const [language, dark, width] of [['en', false, 700], ['fr', true, 360], ['fr', false, 240]]) {
    const { page, close, watched } = await open({ width, dark });
    await visit(page, scoresOf({ lang: language }));
    const [name, detail] = await settled(page);
    assert.equal(name, 'quartier-load');
    const want = await answered(language), got = await seen(page), where = `${language} ${width}`;
    assert.ok(Object.keys(want).length > 10, 'the API knows scores');
    assert.equal(got.rows.length, 18, where);
    for (const { id, value, words } of got.rows) {
      assert.equal(value, want[id] ? oneDecimal(want[id].value, language) : '–', where + ' ' + id);
      assert.equal(words, want[id]?.text ?? { en: 'not known', fr: 'non connue' }[language], where + ' ' + id);
      assert.equal(detail.scores[id], want[id] && Number(want[id].value), id);
    }
    assert.equal(got.title, { en: 'Location scores', fr: 'Cotes du lieu' }[language]);
    await page.waitForFunction(() => document.querySelector('quartier-scores').shadowRoot.querySelector('.date'));
    const { as_of } = await (await fetch(api + '/embed/v1/release.json')).json();
    assert.match((await seen(page)).date, new RegExp(as_of.slice(0, 4)), where);
    const colour = await page.evaluate(() => getComputedStyle(document.querySelector('quartier-scores').shadowRoot.querySelector('.box')).backgroundColor);
    assert.equal(colour, dark ? 'rgb(23, 27, 34)' : 'rgb(255, 255, 255)');
    await accessible(page, where);
    await fits(page, where);
    await picture(page, `embed-${language}-${dark ? 'dark' : 'light'}-${width}`);
    assert.equal(watched.requests.filter(url => url.startsWith(api)).length, 3, 'the script, the scores and the release');
    await close();
  }
});

test('nothing moves while the scores load', async () => {
  for (const width of [240, 360, 700]) {
    const { page, context, close } = await open({ width });
    let go;
    const until = new Promise(done => { go = done; });
    await context.route('**/v3/scores?*', async route => { await until; await route.continue(); });
    await visit(page, scoresOf({ lang: 'fr' }));
    await page.waitForFunction(() => document.querySelector('quartier-scores').shadowRoot?.querySelector('[aria-busy=true]'));
    await picture(page, 'embed-loading-' + width);
    assert.equal((await seen(page)).heard, 'Les cotes arrivent.');
    const height = () => page.evaluate(() => { globalThis.shifted.length = 0; return document.getElementById('after').offsetTop; });
    await page.waitForFunction(() => document.querySelector('quartier-scores').shadowRoot.querySelector('.date'));
    const before = await height();
    go();
    await settled(page);
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.deepEqual(await page.evaluate(() => shifted.filter(([value]) => value > 0.0005)), [], width + ' pixels');
    assert.equal(await height(), before);
    await close();
  }
});

test('a key shows nothing to pages of another origin, of none, or to whoever has read it', async () => {
  for (const [site, path] of [[other, '/'], [portal, '/frame']]) {
    const { page, close } = await open({ expected: refusedLoad });
    await visit(page, scoresOf({}), { site, path });
    const frame = path === '/frame' ? await (await page.waitForSelector('iframe')).contentFrame() : page;
    await frame.waitForFunction(() => globalThis.happened?.length);
    const got = await seen(frame);
    assert.equal(got.sentence, 'This cannot be shown: the key is not valid on this page.', site + path);
    assert.deepEqual(got.rows, []);
    if (site === other) await picture(page, 'embed-refused');
    await close();
  }
  const { page, asked, close } = await open();
  await visit(page, scoresOf({}));
  await settled(page);
  const [url] = asked();
  await close();
  for (const Origin of [undefined, 'null', other, portal + '.evil.example', portal.replace('http', 'https')]) {
    const answer = await fetch(url, { headers: Origin ? { Origin } : {} });
    assert.ok([401, 403].includes(answer.status), `${Origin}: ${answer.status}`);
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
    assert.ok(!(await answer.text()).includes('quiet'));
  }
});

test('a place or a key that is none is one sentence, and nobody is asked', async () => {
  const wrong = ['', 'abc', '91', '-90.5', '1e1', 'Infinity', 'NaN', '0x10', '45,4', '<img src=x onerror=alert(1)>', '"><script>alert(1)</script>', '4'.repeat(10_000), '\u202e45.4', '45.4 45.4'];
  const { page, asked, close } = await open();
  await visit(page, scoresOf({ lat: wrong[1] }));
  let n = 1;
  for (const one of wrong) {
    await settled(page, n++);
    await page.evaluate(one => { document.querySelector('quartier-scores').lat = one; }, one + ' ');
    const [name, { reason }] = await settled(page, n++);
    assert.deepEqual([name, reason], ['quartier-error', 'place'], one);
    await page.evaluate(one => { document.querySelector('quartier-scores').lat = one; }, one);
  }
  await settled(page, n++);
  await page.evaluate(lat => Object.assign(document.querySelector('quartier-scores'), { lat, key: null }), lat);
  const [, { reason }] = await settled(page, n++);
  assert.equal(reason, 'key');
  const got = await seen(page);
  assert.equal(got.sentence, 'This cannot be shown: the page has no key.');
  assert.equal(got.markup, 0);
  await page.evaluate(key => Object.assign(document.querySelector('quartier-scores'), { key, scores: '<b>, constructor __proto__' }), keys.portal);
  assert.equal((await settled(page, n++))[1].reason, 'choice');
  assert.deepEqual(asked(), []);
  await close();
});

test('attributes pick, order and change what is shown, and end what was asked before', async () => {
  const { page, context, asked, close } = await open();
  await visit(page, scoresOf({ scores: 'quiet, cafes,quiet nonsense groceries' }));
  await settled(page);
  assert.deepEqual((await seen(page)).rows.map(row => row.id), ['quiet', 'cafes', 'groceries']);
  await page.evaluate(() => { document.querySelector('quartier-scores').scores = 'parks'; });
  await settled(page, 2);
  assert.equal(asked().length, 1, 'other scores of the same place are not asked for again');
  let slow = true;
  await context.route('**/v3/scores?*', async route => { if (slow) await new Promise(done => setTimeout(done, 1500)); await route.continue().catch(() => {}); });
  await page.evaluate(() => Object.assign(document.querySelector('quartier-scores'), { lang: 'fr', scores: '' }));
  await page.waitForFunction(() => document.querySelector('quartier-scores').shadowRoot.querySelector('[aria-busy=true]'));
  slow = false;
  await page.evaluate(([lat, lng]) => Object.assign(document.querySelector('quartier-scores'), { lang: 'en', lat: lat + 0.001, lng }), [lat, lng]);
  await settled(page, 3);
  await new Promise(done => setTimeout(done, 1600));
  assert.equal(await page.evaluate(() => happened.length), 3, 'what was asked before shows nothing');
  assert.equal((await seen(page)).title, 'Location scores');
  assert.equal(asked().length, 3);
  await close();
});

test('what the API says is text', async () => {
  const { page, context, close } = await open();
  const text = hostile + '<img src=x onerror=alert(1)>\u202e' + 'x'.repeat(10_000);
  const location = { quiet: { value: '<b>5</b>', text }, cafes: { value: '4.25', text }, parks: { value: '99', text }, __proto__: null, wellness: null, vibrant: { value: '3' } };
  await context.route('**/v3/scores?*', route => route.fulfill({ json: { data: { location } }, headers: { 'Access-Control-Allow-Origin': portal } }));
  await context.route('**/release.json', route => route.fulfill({ json: { as_of: '<i>', scores: [{ en: text, fr: text }], map: [] }, headers: { 'Access-Control-Allow-Origin': '*' } }));
  await visit(page, scoresOf({}));
  await settled(page);
  const got = await seen(page);
  assert.deepEqual(Object.fromEntries(got.rows.filter(row => row.words !== 'not known').map(row => [row.id, row.value])), { cafes: '4.3', vibrant: '3.0' });
  assert.ok(got.rows.find(row => row.id === 'cafes').words.includes('onerror=alert'), 'as it is written');
  assert.equal(got.markup, 0);
  await fits(page, 'hostile');
  await close();
});

test('what cannot be had is one sentence, and is asked for again when the server or somebody says so', async () => {
  const { page, context, asked, close } = await open({ expected: /Failed to load resource/ });
  const headers = { 'Access-Control-Allow-Origin': portal, 'Access-Control-Expose-Headers': 'Retry-After' };
  const answers = [{ status: 429, headers: { ...headers, 'Retry-After': '2' }, body: '{}' }, { status: 204, headers }, { status: 403, headers, json: {} }, { status: 401, headers, json: { detail: 'the region is not part' } }, { status: 200, headers, body: 'no JSON' }, null];
  let gone = true;
  await context.route('**/v3/scores?*', route => {
    const next = answers.shift();
    return next === undefined ? route.continue() : next ? route.fulfill(next) : route.abort();
  });
  await context.route('**/release.json', route => gone ? route.abort() : route.continue());
  const began = performance.now();
  await visit(page, scoresOf({}));
  await page.waitForFunction(() => /Trying again in 2 s/.test(document.querySelector('quartier-scores').shadowRoot.querySelector('.state').innerText));
  assert.equal((await settled(page))[1].reason, 'none');
  assert.ok(performance.now() - began > 1900 && asked().length === 2, 'waits for as long as the server says');
  assert.equal((await seen(page)).sentence, 'Nothing is known of this place.');
  const reasons = [];
  for (let n = 2; n < 6; n++) {
    await page.evaluate(n => { document.querySelector('quartier-scores').lang = n % 2 ? 'en' : 'fr'; }, n);
    reasons.push((await settled(page, n))[1].reason);
  }
  assert.deepEqual(reasons, ['refused', 'none', 'server', 'network']);
  assert.match((await seen(page)).sentence, /^The scores cannot be reached at the moment\. Try again$/);
  gone = false;
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.shadowRoot.activeElement.innerText), 'Try again');
  await page.keyboard.press('Enter');
  assert.equal((await settled(page, 6))[0], 'quartier-load');
  assert.equal((await seen(page)).sentence, '');
  await close();
});

test('a slow key is waited for', async () => {
  const { page, close } = await open({ expected: /429/ });
  await visit(page, scoresOf({ key: keys.slow }) + [1, 2, 3].map(i => quoted('quartier-scores', { lat: lat + i / 10_000, lng, key: keys.slow })).join(''));
  await settled(page, 4);
  assert.deepEqual(await page.evaluate(() => happened.map(([name, { reason }]) => reason ?? name)), Array(4).fill('quartier-load'));
  await close();
});

test('the sources are opened by keyboard, and stay open', async () => {
  const { page, context, close } = await open();
  const scores = ['One', 'Two', 'Three', 'Four'.padEnd(60, '.')].map(en => ({ en, fr: en }));
  await context.route('**/release.json', route => route.fulfill({ json: { as_of: '2024-01-01', scores, map: [] }, headers: { 'Access-Control-Allow-Origin': '*' } }));
  await visit(page, scoresOf({}));
  await settled(page);
  await page.keyboard.press('Tab');
  const focused = () => page.evaluate(() => { const one = document.activeElement.shadowRoot?.activeElement; return one && [one.innerText, getComputedStyle(one).outlineStyle, one.parentElement.open]; });
  assert.deepEqual(await focused(), ['One and 3 more', 'solid', false]);
  await page.keyboard.press('Enter');
  await page.evaluate(() => Object.assign(document.querySelector('quartier-scores'), { theme: 'dark', scores: 'quiet' }));
  await settled(page, 2);
  assert.deepEqual(await focused(), ['One and 3 more', 'solid', true]);
  assert.match((await seen(page)).footer, /Data of January 1, 2024[^]*Two\s+Three\s+Four\./);
  await accessible(page, 'open');
  await close();
});

test('the page shows how, without any figure of a place before there is a key', async () => {
  for (const width of [360, 1200]) {
    const { page, asked, context, close } = await open({ width, dark: width === 360 });
    await page.goto(api + '/embed/v1/');
    await settled(page);
    assert.deepEqual(asked(), []);
    assert.match(await page.innerText('#invented'), /Invented/);
    await accessible(page, 'page ' + width);
    await fits(page, 'page ' + width);
    await picture(page, 'embed-page-' + width);
    await page.click('nav [lang=fr]');
    assert.equal(await page.innerText('h1'), 'Des cotes sur vos annonces');
    assert.equal((await seen(page)).title, 'Cotes du lieu');
    await page.fill('[name=lat]', String(lat));
    await page.fill('[name=lng]', String(lng));
    await page.check('[value=quiet]');
    await page.selectOption('[name=theme]', 'dark');
    assert.deepEqual(asked(), []);
    await page.evaluate(() => { happened.length = 0; });
    await page.fill('[name=key]', keys.portal);
    await settled(page);
    const [row] = (await seen(page)).rows;
    assert.equal(row.value, oneDecimal((await answered('fr')).quiet.value, 'fr'));
    assert.equal(await page.isVisible('#invented'), false);
    await accessible(page, 'page with a key ' + width);
    await picture(page, 'embed-page-fr-' + width);
    const written = await page.innerText('#snippet');
    await page.goto('about:blank');
    await visit(page, written);
    await settled(page);
    assert.equal((await seen(page)).rows[0].value, row.value, 'the lines to copy show the same on a portal');
    assert.match(written, /integrity="sha384-[\w+/=]{64}" crossorigin="anonymous"/);
    await context.route('**/quartier-*.js', async route => { const response = await route.fetch(); await route.fulfill({ response, body: await response.text() + '\n' }); });
    if (width === 360) {
      await close();
      continue;
    }
    await visit(page, written);
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate(() => customElements.get('quartier-scores')), undefined, 'a changed script does not run');
    await shut(context);
  }
});

test('the map is loaded when it is wanted, under a policy with a worker', async () => {
  const ground = context => Promise.all([
    context.route('**/release.json', async route => { const response = await route.fetch(); await route.fulfill({ response, json: { ...await response.json(), ground: [14, 14] } }); }),
    context.route('**/v3/tiles/ground/**', route => {
      assert.match(route.request().url(), /\/14\/\d+\/\d+\.mvt\?key=qp_/);
      return route.fulfill({ body: readFileSync(tile), headers: { 'Access-Control-Allow-Origin': portal } });
    }),
  ]);
  const mapOf = attributes => tag + quoted('quartier-map', { lat, lng, key: keys.portal, ...attributes });
  {
    const { page, context, watched, close } = await open({ width: 360, dark: true });
    await ground(context);
    await visit(page, mapOf({ load: 'click', lang: 'fr' }), { path: '/map' });
    const button = page.locator('quartier-map button');
    assert.equal(await button.innerText(), 'Afficher la carte');
    await accessible(page, 'still');
    await picture(page, 'embed-map-still');
    assert.ok(!watched.requests.some(url => /maplibre|tiles/.test(url)), 'nothing of the map is loaded');
    await button.focus();
    await page.keyboard.press('Enter');
    assert.deepEqual([...await settled(page), ...watched.errors], ['quartier-load', {}]);
    await accessible(page, 'map');
    await picture(page, 'embed-map-dark');
    assert.ok(watched.requests.some(url => url.startsWith(api + '/v3/tiles/ground/')));
    assert.match((await seen(page, 'quartier-map')).footer, /Données du/);
    await page.evaluate(() => Object.assign(document.querySelector('quartier-map'), { theme: 'light', lang: 'en', zoom: '15' }));
    await page.waitForFunction(() => document.querySelector('quartier-map').shadowRoot.querySelector('.zoom button').getAttribute('aria-label') === 'Zoom in');
    await page.waitForTimeout(500);
    await picture(page, 'embed-map-light');
    await page.evaluate(() => document.querySelector('quartier-map').remove());
    await close();
  }
  {
    const { page, context, close } = await open();
    await ground(context);
    await visit(page, mapOf({}), { path: '/map' });
    assert.equal((await settled(page))[0], 'quartier-load', 'without a click');
    await close();
  }
  {
    const { page, close } = await open();
    await visit(page, mapOf({}), { path: '/map' });
    await settled(page);
    assert.equal((await seen(page, 'quartier-map')).sentence, 'There is no map here.');
    await close();
  }
  {
    const { page, context, close } = await open({ expected: /worker/i });
    await ground(context);
    await visit(page, mapOf({}));
    assert.equal((await settled(page))[1].reason, 'no_map', 'a policy without workers');
    await close();
  }
  {
    const { page, context, close } = await open({ expected: /Failed to load resource|CORS|Failed to fetch/ });
    await ground(context);
    await context.route('**/v3/tiles/ground/**', route => route.fulfill({ status: 403, body: '{}' }));
    await visit(page, mapOf({}), { path: '/map' });
    assert.equal((await settled(page))[1].reason, 'refused');
    await close();
  }
  const browser = await launch({ webgl: false });
  const { page, context, close } = await open({ browser });
  await ground(context);
  await visit(page, mapOf({}), { path: '/map' });
  assert.equal((await settled(page))[1].reason, 'no_webgl');
  await close();
  await browser.close();
});
