// Opens the explorer in headless Chromium. What a page must never do is watched from its first request on: ask another origin,
// throw, write an error, be refused something by its Content-Security-Policy, or keep what a script can read.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import { chromium } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// WebGL by software, which needs no graphics card; or none at all.
const drawing = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const blind = ['--disable-3d-apis'];

// launch starts Chromium, which QUARTIER_CHROMIUM names.
export const launch = ({ webgl = true } = {}) =>
  chromium.launch({ executablePath: process.env.QUARTIER_CHROMIUM, args: ['--no-sandbox', ...(webgl ? drawing : blind)] });

// patience is how long anything is waited for, in ms: longer than any machine that is busy with other work needs.
export const patience = 300_000;

// eventually repeats a check until it does not fail, and returns what it returns; in the end it fails as the check does.
export async function eventually(check) {
  for (const end = performance.now() + patience; ; await new Promise(done => setTimeout(done, 50))) {
    try {
      return await check();
    } catch (error) {
      if (error.code !== 'ERR_ASSERTION' || performance.now() > end) throw error;
    }
  }
}

// renewed acts, and waits until a selector finds another element than before.
export async function renewed(page, selector, act) {
  await page.evaluate(selector => document.querySelectorAll(selector).forEach(one => { one.dataset.old = ''; }), selector);
  await act();
  await page.waitForSelector(selector + ':not([data-old])', { state: 'attached' });
}

let running;

// shared is the browser of all tests of a process, which ends with them.
export const shared = () => running ??= launch();
after(async () => { await (await running)?.close(); });

export const phone = { width: 360, height: 740 }, desktop = { width: 1280, height: 860 };

// enter follows the one-time link and returns the site: its origin, and the cookie of the session for visits. What the server makes of
// a release when it is first asked for, at a path, is made then.
export async function enter(browser, link, path) {
  const context = await browser.newContext();
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  await page.goto(link);
  const { origin } = new URL(link);
  assert.equal(page.url(), origin + '/explore/', 'the link opens the page');
  if (path) await made(context, origin + path);
  const storage = await context.storageState();
  await context.close();
  return { origin, storage };
}

// made waits until the server has made what it answers with at an address, before which it asks for patience after some seconds.
export const made = (context, url) => eventually(async () => assert.notEqual((await context.request.get(url)).status(), 503, url));

// places are points and names of the release that is looked at, as of panels.mjs.
export const places = JSON.parse(process.env.QUARTIER_PLACES ?? 'null');

const [lat, lng] = places?.home.split(',') ?? [], explained = `/explore/explain?lat=${lat}&lng=${lng}&score=cafes`;
let entered;

// released is the site of the release that QUARTIER_LINK opens.
export const released = () => entered ??= shared().then(browser => enter(browser, process.env.QUARTIER_LINK, explained));

// visit opens a window of a site with an empty cache: {context, watched, origin}. drawn makes what the map draws known to mapOf.
export async function visit(site, { language = 'en', size = desktop, drawn = false, browser, ...options } = {}) {
  const context = await (browser ?? await shared()).newContext({ viewport: size, locale: language === 'fr' ? 'fr-CA' : 'en-CA', reducedMotion: 'reduce', storageState: site.storage, ...options });
  context.setDefaultTimeout(patience);
  const watched = { elsewhere: [], errors: [], refused: [], requests: [] };
  const asked = url => {
    watched.requests.push(url);
    if (!/^(data|blob):/.test(url) && new URL(url).host !== new URL(site.origin).host) watched.elsewhere.push(url);
  };
  context.on('request', request => asked(request.url()));
  context.on('response', response => { if (response.status() >= 400) watched.refused.push(`${response.status()} ${response.url()}`); });
  context.on('page', page => page.on('websocket', socket => { asked(socket.url()); }));
  context.on('weberror', event => watched.errors.push(String(event.error().stack ?? event.error())));
  context.on('console', message => {
    const text = message.text();
    if (message.type() === 'error' && !/Failed to load resource/.test(text)) watched.errors.push(text);
    if (message.type() === 'warning' && !/GL Driver Message|WebGL/.test(text)) watched.errors.push(text);
  });
  await context.addInitScript(() => document.addEventListener('securitypolicyviolation', event =>
    console.error(`the policy ${event.effectiveDirective} refuses ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`)));
  if (drawn) await context.addInitScript(keepMap);
  return { context, watched, origin: site.origin };
}

// keepMap keeps the map of the page where mapOf finds it: modules are made once, so that this is the class that the page uses. A map
// fires events all the time, so that one that was made before is found, too.
async function keepMap() {
  if (!location.pathname.startsWith('/explore')) return;
  const { Map } = await import('/explore/files/maplibre/maplibre-gl.mjs');
  const { fire } = Map.prototype;
  Map.prototype.fire = function (...parts) {
    globalThis.theMap = this;
    return fire.apply(this, parts);
  };
}

// mapOf waits until the map of a page has drawn everything, and returns what a function makes of it: ask(map, argument), which runs
// in the page. The visit must be drawn.
export async function mapOf(page, ask, argument) {
  const ready = () => page.evaluate(() => {
    const map = globalThis.theMap;
    if (!map) return 'not made';
    if (map.isMoving()) return 'moving';
    if (!map.loaded()) map.triggerRepaint(); // a frame that was left out would leave it as it is
    return map.loaded() ? 'ready' : `loading: style ${map.isStyleLoaded()}, tiles ${map.areTilesLoaded()}, lost ${map.getCanvas().getContext('webgl2')?.isContextLost()}`;
  });
  await eventually(async () => assert.equal(await ready(), 'ready', 'the map'));
  const map = await page.evaluateHandle(() => globalThis.theMap);
  return map.evaluate(ask, argument);
}

// shows waits until the map shows something of a layer: labels are placed after all has been loaded.
export const shows = (page, layer) => page.waitForFunction(layer => globalThis.theMap?.getLayer(layer) && globalThis.theMap.queryRenderedFeatures({ layers: [layer] }).length > 0, layer);

// drawnOn returns the features that panels have drawn on the map, as GeoJSON.
export const drawnOn = page => mapOf(page, async map => (await map.getSource('drawn').getData()).features);

// look opens the page with a view, the fragment of a link, and waits for its panel if the view has a place.
export async function look(session, view = '') {
  const page = await session.context.newPage();
  await page.goto(`${session.origin}/explore/#${view}`);
  if (/(^|&)(at|in)=/.test(view)) await panelShown(page, /(?:^|&)panel=([a-z]+)/.exec(view)?.[1]);
  return page;
}

// panelShown waits until a panel is complete: the one with an id, else any.
export const panelShown = (page, id) => page.waitForSelector(id ? `#panel [data-panel=${id}]` : '#panel [data-panel]');

// openPanel chooses a panel by its tab and waits for it. id is that of the link.
export const openPanel = (page, id) => renewed(page, `#panel [data-panel=${id}]`, () => page.click('#tab-' + id));

// suggest types a text into the search, which has the focus, and waits for what is offered for all of it: of what is typed slowly the
// beginning is asked, too.
export async function suggest(page, text) {
  await page.keyboard.type(text, { delay: 5 });
  await page.waitForFunction(text => [...document.querySelectorAll('#search-list b')].some(one => one.textContent.toLowerCase() === text), text.toLowerCase());
}

// answerOf is what the server answers the session of a page at a path: JSON, or null for 204.
export const answerOf = (page, path) => page.evaluate(async path => {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.status === 204 ? null : answer.json();
}, path);

// vocabularyOf is a list of the page's vocabulary: scores, demographics, levels.
export async function vocabularyOf(session, name) {
  const answer = await session.context.request.get(session.origin + '/explore/files/vocabulary.js');
  const module = await import('data:text/javascript,' + encodeURIComponent(await answer.text()));
  return module[name];
}

// shut closes a window whose pages may still ask for something that a test answers.
export async function shut(context) {
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
}

// leave closes a window, and fails if its pages did what none may do: ask another origin, write an error or a warning, or keep
// anything that a script can read. Unless something is expected to be refused, no answer was an error.
export async function leave({ context, watched }, { refused = false } = {}) {
  for (const page of context.pages()) {
    const kept = await page.evaluate(async () => [localStorage.length, sessionStorage.length, document.cookie, (await indexedDB.databases()).length, (await caches.keys()).length]);
    assert.deepEqual(kept, [0, 0, '', 0, 0], 'the page keeps something: local and session storage, cookies, databases, caches');
  }
  for (const cookie of await context.cookies()) {
    assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path], [true, 'Strict', '/explore/'], 'the cookie of the session');
  }
  assert.deepEqual(context.serviceWorkers().length, 0, 'workers of the service kind');
  await shut(context);
  assert.deepEqual(watched.elsewhere, [], 'requests leave the origin');
  const errors = refused ? watched.errors.filter(text => !/^tile \S+: status \d+$/.test(text)) : watched.errors;
  assert.deepEqual(errors, [], 'errors and warnings of the page');
  if (!refused) assert.deepEqual(watched.refused, [], 'what the server refused');
}

// accessible fails with what axe finds on a page.
export async function accessible(page, where) {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const found = violations.map(v => `${v.id} (${v.impact}): ${v.help}: ` + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + ' — ' + n.failureSummary.replace(/\s+/g, ' ')).join(' | '));
  assert.deepEqual(found, [], where);
}

// fits fails if a page is wider than its window, so that one has to scroll sideways.
export async function fits(page, where) {
  const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide <= window, `${where}: ${wide} pixels wide in a window of ${window}`);
}

// picture writes what the window shows to the folder that QUARTIER_PICTURES names, if there is one.
export async function picture(page, name) {
  const folder = process.env.QUARTIER_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}
