// Opens the explorer in headless Chromium. What a page must never do is watched from its first request on: ask another origin,
// throw, or be refused something by its Content-Security-Policy.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// WebGL by software, which needs no graphics card; or none at all.
const drawing = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const blind = ['--disable-3d-apis'];

// launch starts Chromium, which QUARTIER_CHROMIUM names.
export const launch = ({ webgl = true } = {}) =>
  chromium.launch({ executablePath: process.env.QUARTIER_CHROMIUM, args: ['--no-sandbox', ...(webgl ? drawing : blind)] });

export const phone = { width: 360, height: 740 }, desktop = { width: 1280, height: 860 };

// enter follows the one-time link and returns the site: its origin, and the cookie of the session for visits.
export async function enter(browser, link) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  const { origin } = new URL(link);
  assert.equal(page.url(), origin + '/explore/', 'the link opens the page');
  const storage = await context.storageState();
  await context.close();
  return { origin, storage };
}

// visit opens a window of a site with an empty cache: {context, watched, origin}.
export async function visit(browser, site, { language = 'en', size = desktop, ...options } = {}) {
  const context = await browser.newContext({ viewport: size, locale: language === 'fr' ? 'fr-CA' : 'en-CA', reducedMotion: 'reduce', storageState: site.storage, ...options });
  context.setDefaultTimeout(60_000);
  const watched = { elsewhere: [], errors: [], requests: 0 };
  context.on('request', request => {
    const url = request.url();
    watched.requests++;
    if (!/^(data|blob):/.test(url) && new URL(url).origin !== site.origin) watched.elsewhere.push(url);
  });
  context.on('weberror', event => watched.errors.push(String(event.error().stack ?? event.error())));
  context.on('console', message => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) watched.errors.push(message.text());
  });
  return { context, watched, origin: site.origin };
}

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
export async function openPanel(page, id) {
  await page.click('#tab-' + id);
  await panelShown(page, id);
}

// clean fails if a page did what none may do.
export function clean({ watched }) {
  assert.deepEqual(watched.elsewhere, [], 'requests leave the origin');
  assert.deepEqual(watched.errors, [], 'errors of the page');
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
