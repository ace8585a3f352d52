// The explorer over a whole release: every panel in both languages, on a desktop and a phone, by mouse and by keyboard, with axe, and
// what the page takes. Set QUARTIER_LINK, a one-time link, and QUARTIER_PLACES, JSON of places of the release:
//   home: a point in Canada with everything; abroad: one in the United States with market statistics; "latitude,longitude"
//   search: a name to search for, and found: the id of what it is the name of
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { translator } from '../page/files/words.js';
import { accessible, clean, desktop, enter, fits, launch, look, openPanel, panelShown, phone, picture, visit } from './open.mjs';

const places = JSON.parse(process.env.QUARTIER_PLACES);
let browser, site;

before(async () => {
  browser = await launch();
  site = await enter(browser, process.env.QUARTIER_LINK);
});
after(() => browser?.close());

const count = (page, selector) => page.locator(selector).count();
const text = page => page.locator('#panel').innerText();

// panels are what is looked at: the tab, the place, and what must be there. say is t of the language.
const panels = [
  {
    id: 'scores', at: 'home', check: async (page, say) => {
      assert.equal(await count(page, '#panel table.bars tbody tr'), 18);
      assert.ok(await count(page, '#panel rect.bar') >= 15, 'bars of scores');
      assert.ok((await text(page)).includes(say('scores.title')));
    },
  },
  {
    id: 'people', at: 'home', check: async (page, say) => {
      assert.ok(await count(page, '#panel details.group') >= 5, 'groups');
      await page.evaluate(() => document.querySelectorAll('#panel details').forEach(one => { one.open = true; }));
      assert.ok(await count(page, '#panel path.whisker') > 30, 'intervals are drawn');
      assert.ok(await count(page, '#panel table.bars small') > 30, 'and written');
      const about = page.locator('#panel select').first();
      assert.equal(await about.locator('option').last().innerText(), say('demographics.around', { count: 500 }));
      await about.selectOption('');
      await page.waitForFunction(note => document.querySelector('#panel .notes').innerText.includes(note), say('demographics.around.note'));
      assert.equal(await count(page, '#panel path.whisker'), 0, 'around a point no interval is known and none is drawn');
    },
  },
  {
    id: 'market', at: 'abroad', check: async (page, say) => {
      assert.equal(await count(page, '#panel figure.over'), 7);
      assert.equal(await count(page, '#panel figure.over:first-of-type details tbody tr'), 24);
      await page.getByLabel(say('market.kind.quarters')).check();
      await page.waitForFunction(() => document.querySelectorAll('#panel figure.over:first-of-type details tbody tr').length === 20);
      await page.getByLabel(say('market.type')).selectOption('commercial');
      await page.waitForFunction(note => document.querySelector('#panel .answer').innerText.includes(note), say('market.counts'));
      assert.equal(await count(page, '#panel figure.over'), 3, 'counts alone');
      await page.getByLabel(say('market.type')).selectOption('multi_family_5_plus_units');
      await page.waitForFunction(() => document.querySelector('#panel .answer > .absent'));
      assert.ok(await count(page, '#panel path.hatch') > 0, 'intervals without figures are hatched');
      assert.equal(await page.evaluate(() => [...document.querySelectorAll('#panel figure td.absent')].filter(one => /\d/.test(one.innerText)).length), 0, 'and have no number');
    },
  },
  {
    id: 'pois', at: 'home', check: async page => {
      const first = page.locator('#panel details').first();
      await first.locator('summary').click();
      await page.waitForFunction(() => document.querySelector('#panel details[open] li'));
    },
  },
  { id: 'schools', at: 'home', check: async page => assert.ok(await count(page, '#panel ul.places li') > 3) },
  {
    id: 'profile', at: 'home', check: async (page, say, language) => {
      assert.equal(await page.locator('#panel article').first().getAttribute('lang'), language);
      assert.equal(await count(page, '#panel article'), 2, 'both languages');
    },
  },
  {
    id: 'compare', at: 'home', check: async (page, say) => {
      assert.equal(await count(page, '#panel table.pairs:first-of-type tbody tr'), 18);
      const all = await text(page);
      assert.ok(all.includes(say('compare.larger', { side: 'A' })) || all.includes(say('compare.larger', { side: 'B' })), 'a difference in words');
      assert.ok(all.includes(say('compare.overlap')), 'and one that is too small for words');
    },
  },
];

for (const language of ['en', 'fr']) {
  for (const [name, size] of Object.entries({ desktop, phone })) {
    test(`every panel: ${language}, ${name}`, async t => {
      const session = await visit(browser, site, { language, size }), say = translator(language);
      let page, at;
      for (const panel of panels) {
        if (!page || at !== panel.at) {
          await page?.close();
          at = panel.at;
          page = await look(session, `at=${places[at]}&lang=${language}&with=${places.other}`);
        }
        await openPanel(page, panel.id);
        await t.test(panel.id, async () => {
          await panel.check(page, say, language);
          await fits(page, panel.id);
          await accessible(page, panel.id);
          await picture(page, `${panel.id}-${language}-${name}`);
        });
      }
      assert.equal(await page.evaluate(() => document.documentElement.lang), language);
      clean(session);
      await session.context.close();
    });
  }
}

test('a panel is there soon after a click', async t => {
  const session = await visit(browser, site), started = performance.now();
  const page = await look(session);
  await page.waitForFunction(() => document.querySelector('#map canvas') || document.querySelector('.no-map'));
  const [paint, bytes] = await page.evaluate(() => [
    performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].reduce((sum, one) => sum + one.transferSize, 0)]);
  t.diagnostic(`first paint after ${Math.round(paint)} ms, map after ${Math.round(performance.now() - started)} ms, ${Math.round(bytes / 1000)} kB transferred`);
  assert.ok(bytes <= 1e6, `${bytes} bytes before interaction`);
  const times = [];
  for (const [lat, lng] of [places.home, places.other, places.abroad].map(place => place.split(','))) {
    times.push(await page.evaluate(async ([lat, lng]) => {
      const begun = performance.now();
      location.hash; // the view stays; a place is chosen as by a click
      const field = document.querySelector('#search input');
      field.value = `${lat}, ${lng}`;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      const shown = () => document.querySelector('#panel table.bars');
      document.querySelector('#panel')?.replaceChildren();
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      while (!shown()) await new Promise(requestAnimationFrame);
      return performance.now() - begun;
    }, [lat, lng]));
  }
  t.diagnostic(`place to panel: ${times.map(time => Math.round(time) + ' ms').join(', ')}`);
  clean(session);
  await session.context.close();
});
