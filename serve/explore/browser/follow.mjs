// Links to the explorer on pages of another site, which the browser follows without the cookie of the session. QUARTIER_OUTSIDE is
// that site: /?to=URL has a link to a URL, and /go?to=URL redirects there. QUARTIER_SITES are origins of the explorer, each with
// the address of new one-time links: one that Chromium trusts, for which it says where a request comes from, and one by a name
// over plain HTTP, for which it does not.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { patience } from './open.mjs';

const outside = process.env.QUARTIER_OUTSIDE, sites = JSON.parse(process.env.QUARTIER_SITES);
const view = '#map=14/45.2/-72.8&at=45.2,-72.8&panel=scores&lang=fr';
let browser;

before(async () => {
  browser = await chromium.launch({ executablePath: process.env.QUARTIER_CHROMIUM, args: ['--no-sandbox', '--disable-3d-apis', '--host-resolver-rules=MAP explorer.test 127.0.0.1'] });
});
after(() => browser?.close());

// open opens a window with a cache and cookies of its own, whose navigations to the explorer are listed.
async function open(origin) {
  const context = await browser.newContext({ locale: 'en-CA' }), steps = [], refused = [];
  context.setDefaultTimeout(patience);
  context.on('request', request => {
    if (request.isNavigationRequest() && request.url().startsWith(origin)) steps.push(new URL(request.url()).pathname);
  });
  context.on('console', message => { if (/Content.Security.Policy/i.test(message.text())) refused.push(message.text()); });
  return { context, steps, refused };
}

// follow clicks a link of the other site, in the window or a new one, and returns where it led.
async function follow(context, to, { redirected = false, blank = false } = {}) {
  const page = await context.newPage();
  const target = redirected ? `${outside}/go?to=${encodeURIComponent(to)}` : to;
  await page.goto(`${outside}/?blank=${blank ? 1 : ''}&to=${encodeURIComponent(target)}`);
  if (!blank) {
    await page.click('a');
    return page;
  }
  const [opened] = await Promise.all([context.waitForEvent('page'), page.click('a')]);
  return opened;
}

for (const { origin, links } of sites) {
  const newLink = async () => (await fetch(links)).text();

  test(`a link of another site opens the view: ${origin}`, async () => {
    const { context, steps, refused } = await open(origin);
    const first = await follow(context, await newLink());
    await first.waitForSelector('#search-field');
    assert.equal(first.url().split('#')[0], origin + '/explore/', 'a one-time link on a page of another site');
    assert.deepEqual(steps, ['/explore/open', '/explore/', '/explore/again', '/explore/']);
    for (const how of [{}, { redirected: true }, { blank: true }]) {
      steps.length = 0;
      const page = await follow(context, origin + '/explore/' + view, how);
      await page.waitForSelector('#panel [data-panel=scores]');
      const hash = new URLSearchParams(new URL(page.url()).hash.slice(1));
      assert.equal(hash.get('at'), '45.2,-72.8', page.url());
      assert.equal(await page.getAttribute('html', 'lang'), 'fr', 'the language of the view');
      assert.deepEqual(steps, ['/explore/', '/explore/again', '/explore/'], JSON.stringify(how));
      // Going back leads to the other site, past the steps.
      if (!how.blank) {
        await page.goBack();
        assert.ok(page.url().startsWith(outside), page.url());
      }
      await page.close();
    }
    assert.deepEqual(refused, [], 'by the policy');
    await context.close();
  });

  test(`without a session it ends in words: ${origin}`, async () => {
    const { context, steps, refused } = await open(origin);
    const page = await follow(context, origin + '/explore/' + view);
    await page.waitForURL(/\/explore\/again#/);
    await page.waitForLoadState();
    await page.waitForFunction(() => document.body.innerText.includes('USR1'));
    // Whatever the page were to do by itself, it would do before what is asked of it now.
    await page.evaluate(() => new Promise(done => setTimeout(() => requestAnimationFrame(done))));
    assert.deepEqual(steps, ['/explore/', '/explore/again']);
    // As soon as there is a session, the link on the page leads to the view's page.
    const other = await context.newPage();
    await other.goto(await newLink());
    await page.click('a');
    await page.waitForSelector('#search-field');
    assert.equal(new URL(page.url()).pathname, '/explore/');
    assert.deepEqual(refused, [], 'by the policy');
    await context.close();
  });

  test(`pages of another site get nothing: ${origin}`, async () => {
    const { context } = await open(origin);
    const entered = await context.newPage();
    await entered.goto(await newLink());
    await entered.waitForSelector('#search-field');
    const page = await context.newPage();
    await page.goto(outside + '/');
    const got = await page.evaluate(async origin => {
      const paths = ['/explore/', '/explore/again', '/explore/again.js', '/explore/release.json', '/explore/api/geographies?lat=45.2&lng=-72.8', '/explore/files/main.js'];
      const by = (element, path) => new Promise(done => {
        const one = Object.assign(document.createElement(element), element === 'link' ? { rel: 'stylesheet', href: origin + path } : { src: origin + path });
        one.onload = () => done(element === 'iframe' ? (() => { try { return one.contentDocument?.body?.innerText ?? 'not to be seen'; } catch { return 'not to be seen'; } })() : 'loaded');
        one.onerror = () => done('error');
        document.body.append(one);
      });
      const out = [];
      for (const path of paths) {
        for (const options of [{}, { mode: 'no-cors', credentials: 'include' }, { credentials: 'include' }, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' }]) {
          out.push([path, JSON.stringify(options), await fetch(origin + path, options).then(answer => answer.type === 'opaque' ? 'opaque' : answer.status, () => 'error')]);
        }
        for (const element of ['img', 'script', 'link', 'iframe']) out.push([path, element, await by(element, path)]);
      }
      return out;
    }, origin);
    for (const [path, how, what] of got) {
      assert.ok(['error', 'not to be seen'].includes(what), `${how} of ${path}: ${what}`);
    }
    await context.close();
  });
}
