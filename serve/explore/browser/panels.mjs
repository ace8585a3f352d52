// The explorer over a whole release: every panel in both languages, on a desktop and a phone, by mouse and by keyboard, with axe, and
// what the page takes. Set QUARTIER_LINK, a one-time link, and QUARTIER_PLACES, JSON of places of the release:
//   home: a point in Canada with everything; abroad: one in the United States with market statistics; "latitude,longitude"
//   search: a name to search for
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { translator } from '../page/files/words.js';
import { accessible, desktop, fits, launch, leave, look, openPanel, panelShown, phone, picture, places, released, renewed, suggest, visit } from './open.mjs';

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
];

for (const language of ['en', 'fr']) {
  for (const [name, size] of Object.entries({ desktop, phone })) {
    test(`every panel: ${language}, ${name}`, async t => {
      const session = await visit(await released(), { language, size }), say = translator(language);
      let page, at;
      for (const panel of panels) {
        if (!page || at !== panel.at) {
          await page?.close();
          at = panel.at;
          page = await look(session, `at=${places[at]}&lang=${language}&with=${places.abroad}`);
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
      await leave(session);
    });
  }
}

test('search, panels, language and map by keyboard alone', async () => {
  const session = await visit(await released()), page = await look(session), press = key => page.keyboard.press(key);
  await page.waitForSelector('#map canvas, .no-map');
  const focused = () => page.evaluate(() => {
    const at = document.activeElement, style = getComputedStyle(at);
    return { id: at.id, tag: at.tagName, outlined: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2, seen: at.checkVisibility() };
  });
  // to presses Tab until the element of a selector has the focus; on the way each stop must be seen.
  const to = async (selector, key = 'Tab') => {
    for (let i = 0; i < 60; i++) {
      await press(key);
      if (await page.evaluate(selector => document.activeElement.matches(selector), selector)) return;
      const at = await focused();
      assert.ok(at.tag === 'BODY' || (at.outlined && at.seen), `the focus is not seen: ${JSON.stringify(at)}`);
    }
    assert.fail(`Tab does not reach ${selector}`);
  };
  await press('Tab');
  assert.equal((await focused()).id, 'skip', 'the first stop skips to the place');
  await press('Enter');
  assert.equal((await focused()).id, 'place');
  await to('#search-field', 'Shift+Tab');
  await suggest(page, places.search);
  await press('ArrowDown');
  await press('Enter');
  await panelShown(page, 'scores');
  assert.ok((await page.locator('#live').innerText()).startsWith(places.search), 'the place is announced');
  assert.match(await page.evaluate(() => location.hash), /in=g\d\d_/, 'and in the link');
  await to('[role=tab]');
  for (const id of ['people', 'market', 'pois', 'schools', 'walk', 'travel', 'profile', 'compare']) {
    await press('ArrowRight');
    await panelShown(page, id);
    assert.equal((await focused()).id, 'tab-' + id);
  }
  await press('Home');
  await panelShown(page, 'scores');
  await press('ArrowRight');
  await panelShown(page, 'people');
  await to('#panel select');
  const chosen = () => page.evaluate(() => { const { selectedIndex, options } = document.querySelector('#panel select'); return [selectedIndex, options.length - 1]; });
  await renewed(page, '#panel .answer > *', () => press('End')); // the last option of the list
  assert.equal(...await chosen());
  await renewed(page, '#panel details.group', () => press('Home')); // and the first one, of which there are demographics
  assert.equal((await chosen())[0], 0);
  await to('#panel summary');
  const open = await page.evaluate(() => document.activeElement.parentElement.open);
  await press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.parentElement.open), !open, 'a group opens and closes');
  await to('.languages button[lang=fr]', 'Shift+Tab');
  await renewed(page, '#panel [data-panel=people]', () => press('Enter'));
  await page.waitForFunction(() => document.documentElement.lang === 'fr');
  await page.waitForFunction(title => document.querySelector('#panel h3')?.innerText === title, translator('fr')('demographics.title'));
  if (await page.locator('#map canvas').count()) {
    const before = await page.evaluate(() => location.hash);
    await to('#map canvas');
    await renewed(page, '#panel [data-panel=people]', () => press('Enter'));
    await page.waitForFunction(before => location.hash !== before && !/in=/.test(location.hash), before);
  }
  await leave(session);
});

test('without WebGL the page says so, and panels work from the search', async () => {
  const blind = await launch({ webgl: false });
  try {
    for (const language of ['en', 'fr']) {
      const session = await visit(await released(), { language, browser: blind }), say = translator(language);
      const page = await look(session);
      await page.waitForSelector('.no-map');
      assert.equal(await page.locator('.no-map').innerText(), say('map.no_webgl'));
      await page.fill('#search-field', places.search);
      await page.keyboard.press('Enter');
      await panelShown(page, 'scores');
      for (const id of ['people', 'market', 'pois', 'schools', 'profile', 'compare', 'scores']) await openPanel(page, id);
      assert.equal(await count(page, '#panel table.bars tbody tr'), 18);
      await accessible(page, 'without a map');
      await picture(page, 'without-webgl-' + language);
      await leave(session);
    }
  } finally {
    await blind.close();
  }
});

test('the link holds the whole view', async () => {
  const session = await visit(await released());
  const first = await look(session, `at=${places.home}&lang=fr&panel=compare&with=${places.abroad}`);
  const view = await first.evaluate(() => location.hash.slice(1)), shown = await text(first);
  const second = await look(session, view);
  assert.equal(await text(second), shown);
  assert.equal(await second.locator('h2:visible').first().innerText(), await first.locator('h2:visible').first().innerText());
  await leave(session);
});

// Times are printed and decide nothing: the machine may be busy. Bytes do not depend on it.
test('what the page transfers and how long it takes', async t => {
  const session = await visit(await released()), begun = performance.now();
  const page = await look(session);
  await page.waitForSelector('#map canvas, .no-map');
  const map = performance.now() - begun;
  const [paint, bytes] = await page.evaluate(() => [
    performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].reduce((sum, one) => sum + one.transferSize, 0)]);
  t.diagnostic(`first paint after ${Math.round(paint)} ms, the map after ${Math.round(map)} ms, ${Math.round(bytes / 1000)} kB transferred`);
  assert.ok(bytes <= 1e6, `${bytes} bytes before interaction`);
  const times = [];
  for (const place of [places.home, places.abroad, places.other]) {
    await page.fill('#search-field', place.replace(',', ', '));
    times.push(await page.evaluate(async () => {
      const old = document.querySelector('#panel [data-panel]'), begun = performance.now();
      document.querySelector('#search-field').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      for (;;) {
        const now = document.querySelector('#panel [data-panel]');
        if (now && now !== old) return performance.now() - begun;
        await new Promise(requestAnimationFrame);
      }
    }));
  }
  t.diagnostic(`from a place to its panel: ${times.map(time => Math.round(time) + ' ms').join(', ')}`);
  const clicks = [], { x, y, width, height } = await page.locator('#map').boundingBox();
  for (const [right, down] of [[0.5, 0.5], [0.4, 0.6], [0.6, 0.7]]) {
    await page.evaluate(() => {
      const old = document.querySelector('#panel [data-panel]');
      globalThis.answered = new Promise(done => document.querySelector('#map canvas').addEventListener('click', () => {
        const begun = performance.now();
        const look = () => {
          const now = document.querySelector('#panel [data-panel]');
          if (now && now !== old) done(performance.now() - begun);
          else requestAnimationFrame(look);
        };
        look();
      }, { once: true, capture: true }));
    });
    await page.mouse.click(x + right * width, y + down * height);
    clicks.push(await page.evaluate(() => globalThis.answered));
  }
  t.diagnostic(`from a click on the map to the panel: ${clicks.map(time => Math.round(time) + ' ms').join(', ')}`);
  await leave(session);
});
