// What the map draws over a whole release, compared with what the server answers: what counted for a score, the heat layer, the point
// and the outline that are looked at; and the link that opens the same view. Variables as of panels.mjs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postal } from '../page/files/resolve.js';
import { heatColours } from '../page/files/style.js';
import { translator } from '../page/files/words.js';
import { accessible, answerOf, desktop, drawnOn, eventually, fits, leave, look, mapOf, openPanel, panelShown, phone, picture, places, released, renewed, shows, visit, vocabularyOf } from './open.mjs';

const point = text => { const [lat, lng] = text.split(',').map(Number); return { lat, lng }; };
const home = point(places.home);
const written = (language, digits = 0) => { const form = new Intl.NumberFormat(language + '-CA', { maximumFractionDigits: digits }); return x => form.format(x); };

// countedIn are the places and lines of an explanation, those that count the most first and each once, as they are listed and drawn.
function countedIn(report, most = 30) {
  const all = [report.values[0], ...(report.values[0].under ?? [])], largest = new Map();
  for (const one of all.flatMap(value => value.places ?? [])) {
    const key = [one.source_id, one.source_key, one.class].join(' ');
    if (!(largest.get(key)?.part >= one.part)) largest.set(key, one);
  }
  const places = [...largest.values()].sort((a, b) => b.part - a.part || a.m - b.m);
  const lines = all.flatMap(value => value.lines ?? []).sort((a, b) => b.part - a.part);
  const streets = all.flatMap(value => value.streets ?? []);
  return { places: places.slice(0, most), lines: lines.slice(0, most), streets: streets.slice(0, most), number: places.length };
}

// rowsOf are the texts of the cells of the table with a caption, in the open explanation.
const rowsOf = (page, caption) => page.locator('.why-content table').filter({ has: page.locator('caption', { hasText: caption }) }).locator('tbody tr')
  .evaluateAll(rows => rows.map(row => [...row.cells].map(cell => cell.innerText.trim())));

// explanation opens what counted for a score and returns it as the server explains it.
async function explanation(page, score, { lat, lng }, language) {
  await page.click(`button[data-score=${score}]`);
  await page.waitForSelector(`tr:has(button[data-score=${score}][aria-expanded=true]) + tr.why-row .why-content`);
  return answerOf(page, `/explore/explain?lat=${lat}&lng=${lng}&score=${score}&language=${language}`);
}

// compared fails unless an open explanation lists and draws what the report has.
async function compared(page, report, from, language, where) {
  const say = translator(language), whole = written(language), parts = written(language, 2);
  const { places, lines, streets, number } = countedIn(report);
  const metres = one => say(one.straight ? 'metres.straight' : 'metres', { m: whole(one.m) });
  if (places.length) {
    const rows = await rowsOf(page, say('why.places')), counts = places.some(one => one.part > 0);
    assert.deepEqual(rows.map(([, ...rest]) => rest), places.map(one => [metres(one), ...(counts ? [one.part > 0 ? parts(one.part) : '–'] : [])]), where + ': metres and parts');
    places.forEach((one, i) => assert.ok(rows[i][0].startsWith(one.name ?? say('why.nameless')), `${where}: ${rows[i][0]} is not ${one.name}`));
  }
  if (lines.length) {
    const rows = await rowsOf(page, say('why.lines'));
    assert.deepEqual(rows.map(([, ...rest]) => rest), lines.map(one => [metres(one), whole(one.trips_week)]), where + ': lines');
    lines.forEach((one, i) => assert.ok(rows[i][0].startsWith(one.name), where));
  }
  if (streets.length) assert.equal((await rowsOf(page, say('why.streets'))).length, streets.length, where + ': streets');
  if (number > 30) assert.ok((await page.locator('.why-content').innerText()).includes(say('why.most', { count: 30, all: number })), where);
  // On the map a line goes from the point to each of them.
  const drawn = await drawnOn(page), located = [...places, ...lines].filter(one => one.at), most = Math.max(...[...places, ...lines].map(one => one.part), 0) || 1;
  const round = ([lng, lat]) => [lng.toFixed(6), lat.toFixed(6)].join();
  const links = drawn.filter(one => one.properties.role === 'link'), ends = drawn.filter(one => one.properties.role === 'place');
  assert.deepEqual(links.map(one => one.geometry.coordinates.map(round)), located.map(one => [round([from.lng, from.lat]), round([one.at.lng, one.at.lat])]), where + ': lines on the map');
  assert.deepEqual(links.map(one => one.properties.weight.toFixed(4)), located.map(one => Math.max(0, one.part / most).toFixed(4)), where + ': their weights');
  assert.deepEqual(ends.map(one => round(one.geometry.coordinates)), located.map(one => round([one.at.lng, one.at.lat])), where + ': places on the map');
  located.forEach((one, i) => assert.ok(ends[i].properties.label.includes(say('metres', { m: whole(one.m) })), `${where}: ${ends[i].properties.label} has no ${one.m} m`));
  assert.equal(drawn.length, links.length + ends.length, where + ': nothing else is drawn');
  return located.length;
}

test('what counted for each score is listed and drawn as the server explains it', async t => {
  for (const [language, size] of [['en', desktop], ['fr', phone]]) {
    const session = await visit(await released(), { language, size, drawn: true }), scores = await vocabularyOf(session, 'scores');
    const page = await look(session, `at=${places.home}&lang=${language}&panel=scores`);
    let lines = 0;
    for (const { id } of language === 'en' ? scores : scores.filter(({ id }) => ['cafes', 'transit_friendly', 'quiet'].includes(id))) {
      const report = await explanation(page, id, home, language);
      lines += await compared(page, report, home, language, `${id}, ${language}`);
      assert.match(await page.evaluate(() => location.hash), new RegExp(`&why=${id}(&|$)`));
      assert.equal(await page.locator('.why-row').count(), 1, 'one is open at a time');
      if (id === 'cafes' || (language === 'fr')) {
        await accessible(page, 'what counted for ' + id);
        await fits(page, 'what counted for ' + id);
        await picture(page, `why-${id}-${language}`);
      }
      if (id === 'cafes') {
        for (const layer of ['link', 'place']) await shows(page, layer);
        await page.click('button[data-score=cafes]');
        await page.waitForSelector('.why-row', { state: 'detached' });
        assert.deepEqual(await drawnOn(page), [], 'closed, nothing is drawn');
        assert.ok(!/why=/.test(await page.evaluate(() => location.hash)));
      }
    }
    t.diagnostic(`${lines} lines compared`);
    assert.ok(lines > 10, 'something is drawn');
    await leave(session);
  }
});

test('where no street is near there are no scores, and nothing counted', async () => {
  const session = await visit(await released(), { drawn: true }), page = await look(session, `at=${places.streetless}&lang=en&panel=scores&why=cafes`);
  assert.ok((await page.locator('#panel').innerText()).includes(translator('en')('scores.none')));
  const { lat, lng } = point(places.streetless);
  assert.equal(await answerOf(page, `/explore/explain?lat=${lat}&lng=${lng}&score=cafes`), null);
  assert.deepEqual(await drawnOn(page), []);
  await leave(session);
});

// pixels are the colours of a picture of the window at some points: [[red, green, blue], …].
async function pixels(page, at) {
  const picture = (await page.screenshot()).toString('base64'), plain = await page.context().browser().newPage();
  try {
    return await plain.evaluate(async ([picture, at]) => {
      const image = new Image();
      image.src = 'data:image/png;base64,' + picture;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
      canvas.drawImage(image, 0, 0);
      return at.map(([x, y]) => [...canvas.getImageData(Math.round(x), Math.round(y), 1, 1).data].slice(0, 3));
    }, [picture, at]);
  } finally {
    await plain.close();
  }
}

const rgb = hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
const nearest = colour => {
  const away = heatColours.map(one => Math.hypot(...rgb(one).map((x, i) => x - colour[i])));
  return away.indexOf(Math.min(...away));
};

// corners are street corners that the map colours, with nothing of another colour within 14 pixels: the place in the window and in the
// world, and the value of a score, in twentieths. The lines of a feature meet at the corner whose score they have.
const corners = (page, score) => mapOf(page, (map, score) => {
  const { x: left, y: top, width, height } = map.getCanvas().getBoundingClientRect(), all = [];
  for (const { geometry, properties } of map.queryRenderedFeatures({ layers: ['heat'] })) {
    const times = new Map();
    for (const at of (geometry.type === 'LineString' ? [geometry.coordinates] : geometry.coordinates).flat()) times.set(at.join(), [at, (times.get(at.join())?.[1] ?? 0) + 1]);
    for (const [[lng, lat], n] of times.values()) {
      const { x, y } = map.project([lng, lat]);
      all.push({ lat, lng, x: x + left, y: y + top, value: properties[score], corner: n > 1 });
    }
  }
  const free = one => document.elementFromPoint(one.x, one.y) === map.getCanvas() && one.x > left + 10 && one.y > top + 10 && one.x < left + width - 10 && one.y < top + height - 10;
  const alone = one => all.every(other => other.value === one.value || Math.hypot(one.x - other.x, one.y - other.y) > 14);
  return all.filter(one => one.corner && free(one) && alone(one));
}, score);

test('the heat layer has the values and the words of the API', async t => {
  const session = await visit(await released(), { drawn: true }), scores = await vocabularyOf(session, 'scores');
  const page = await look(session, `map=15.5/${home.lat}/${home.lng}&lang=en`), say = translator('en');
  await page.waitForSelector('#map canvas');
  // What is drawn over the colours is left out, so that they can be read off the picture.
  await mapOf(page, map => { const all = map.getStyle().layers.map(one => one.id); all.slice(all.indexOf('heat') + 1).forEach(id => map.setLayoutProperty(id, 'visibility', 'none')); });
  let seen = 0;
  for (const id of ['cafes', 'transit_friendly', 'quiet', 'parks']) {
    const score = scores.find(one => one.id === id);
    await page.selectOption('#heat-score', id);
    assert.deepEqual(await page.locator('#heat .legend-words li').allInnerTexts(), score.texts.map(text => text.en).reverse(), 'the legend has the words of the score, the best first');
    const colours = await page.locator('#heat .legend-words .swatch').evaluateAll(all => all.map(one => getComputedStyle(one).backgroundColor.match(/\d+/g).map(Number)));
    assert.deepEqual(colours, heatColours.map(rgb).reverse(), 'with the colours of the map');
    const at = await corners(page, id), step = Math.max(1, Math.floor(at.length / 8)), some = at.filter((_, i) => i % step === 0).slice(0, 8);
    assert.ok(some.length >= 4, `${id}: ${at.length} street corners are drawn`);
    const colour = await pixels(page, some.map(one => [one.x, one.y]));
    for (const [i, one] of some.entries()) {
      const { data } = await answerOf(page, `/explore/api/scores?lat=${one.lat}&lng=${one.lng}&include=${id}&language=en`), answer = data.location[id];
      // The API answers the nearest half, of which a twentieth in the middle between two is not known.
      if (one.value % 10 === 5) continue;
      assert.equal(Math.round(one.value / 10) / 2, Number(answer.value), `${id} at ${one.lat},${one.lng}: ${one.value / 20} in the tile`);
      assert.equal(score.texts[nearest(colour[i])].en, answer.text, `${id} at ${one.lat},${one.lng}: the colour ${colour[i]} of ${answer.value}`);
      seen++;
    }
  }
  t.diagnostic(`${seen} street corners compared`);
  assert.ok(seen >= 20, `${seen} street corners compared`);
  await accessible(page, 'the heat layer');
  await mapOf(page, map => map.jumpTo({ zoom: 9 }));
  await page.waitForFunction(text => document.querySelector('#heat .legend-words .missing')?.textContent === text, say('heat.zoom'));
  await mapOf(page, map => map.jumpTo({ zoom: 12 }));
  await page.waitForSelector('#heat .legend-words .missing', { state: 'detached' });
  await shows(page, 'heat');
  await page.click('.languages button[lang=fr]');
  const french = scores.find(one => one.id === 'parks');
  assert.deepEqual(await page.locator('#heat .legend-words li').allInnerTexts(), french.texts.map(text => text.fr).reverse());
  await shows(page, 'heat');
  await page.selectOption('#heat-score', '');
  assert.ok(await page.locator('#heat .legend-words').isHidden());
  assert.equal(await mapOf(page, map => map.getLayoutProperty('heat', 'visibility')), 'none');
  assert.ok(!/heat=/.test(await page.evaluate(() => location.hash)));
  await leave(session);
});

test('a click draws the point and the outline around it', async () => {
  const session = await visit(await released(), { drawn: true }), page = await look(session, `map=14/${home.lat}/${home.lng}`);
  const { x, y, lat, lng } = await mapOf(page, map => {
    const { left, top, width, height } = map.getCanvas().getBoundingClientRect(), x = Math.round(width * 0.6), y = Math.round(height * 0.6), { lat, lng } = map.unproject([x, y]);
    return { x: Math.round(x + left), y: Math.round(y + top), lat, lng };
  });
  await page.mouse.click(x, y);
  await panelShown(page, 'scores');
  const { data, meta } = await answerOf(page, `/explore/api/geographies?lat=${lat}&lng=${lng}`);
  const smallest = Object.entries(data.geographies).map(([id, one]) => ({ id, ...one })).sort((a, b) => a.level - b.level)[0];
  assert.equal(await page.locator('.place-head h2').innerText(), smallest.name.en);
  await shows(page, 'chosen-tiles-line');
  assert.equal((await mapOf(page, map => map.getFilter('chosen-tiles-line'))).at(-1), smallest.id, 'the outline is that of the smallest geography');
  const marks = await mapOf(page, async map => (await map.getSource('marks').getData()).features);
  assert.deepEqual(marks.map(one => one.properties.role), ['here']);
  assert.ok(Math.hypot(marks[0].geometry.coordinates[0] - lng, marks[0].geometry.coordinates[1] - lat) < 1e-4, 'the mark is where one clicked');
  const around = (meta?.order ?? Object.keys(data.geographies)).map(id => data.geographies[id]).sort((a, b) => b.level - a.level);
  // Areas of one name, such as a municipality and its metro area, have their kind beside it.
  const shown = one => one.name.en + (around.filter(other => other.name.en === one.name.en).length > 1 ? ` (${one.level_type.en})` : '');
  // A postal area is nobody's parent: it comes after the smallest of the others.
  const [parents, beside] = [around.filter(one => one.level !== postal), around.filter(one => one.level === postal)];
  assert.deepEqual(await page.locator('.crumbs li').allInnerTexts(), [...[...parents, ...beside].map(shown), translator('en')('place.here')]);
  await leave(session);
});

test('a place that is chosen before the map is there is drawn on it', async () => {
  const session = await visit(await released(), { drawn: true }), page = await session.context.newPage();
  let arrive;
  const held = new Promise(done => { arrive = done; });
  await session.context.route('**/files/map.js', async route => { await held; await route.continue(); });
  await page.goto(session.origin + '/explore/', { waitUntil: 'domcontentloaded' });
  await page.waitForSelector('#attribution p');
  await page.fill('#search-field', places.home.replace(',', ', '));
  await page.keyboard.press('Enter');
  await panelShown(page, 'scores');
  await page.evaluate(() => import('/explore/files/maplibre/maplibre-gl.mjs').then(() => {})); // which keepMap waits for
  arrive();
  await eventually(async () => assert.ok((await mapOf(page, map => map.getLayer('chosen-tiles-line') && map.getFilter('chosen-tiles-line')))?.at(-1), 'an outline is drawn'));
  assert.deepEqual(await mapOf(page, async map => (await map.getSource('marks').getData()).features.map(one => one.properties.role)), ['here']);
  assert.match(await page.evaluate(() => location.hash), /at=/);
  // Enter looks at it again, though the field has its name and not what was typed.
  await page.focus('#search-field');
  await renewed(page, '#panel [data-panel]', () => page.keyboard.press('Enter'));
  await leave(session);
});

// viewOf is everything that a window shows of its view.
const viewOf = async page => ({
  hash: await page.evaluate(() => location.hash),
  language: await page.evaluate(() => document.documentElement.lang),
  place: await page.locator('.place-head').innerText(),
  panel: await page.locator('#panel').innerText(),
  tab: await page.locator('[role=tab][aria-selected=true]').innerText(),
  open: await page.locator('button[data-score][aria-expanded=true]').evaluateAll(all => all.map(one => one.dataset.score)),
  heat: await page.locator('#heat-score').inputValue(),
  legend: await page.locator('#heat').innerText(),
  map: await mapOf(page, async map => ({
    zoom: map.getZoom().toFixed(2), center: map.getCenter().toArray().map(x => x.toFixed(4)), heat: map.getLayoutProperty('heat', 'visibility'), colour: map.getPaintProperty('heat', 'line-color'),
    outline: map.getLayer('chosen-tiles-line') && map.getFilter('chosen-tiles-line'),
    drawn: (await map.getSource('drawn').getData()).features, marks: (await map.getSource('marks').getData()).features.sort((a, b) => a.properties.role.localeCompare(b.properties.role)),
  })),
});

test('a link opens the same view in a session of its own', async () => {
  const site = await released(), session = await visit(site, { drawn: true });
  // A view that one makes by hand: language, point, colours, what counted, the place to compare with, and another part of the map.
  const page = await look(session);
  await mapOf(page, () => {});
  await page.click('.languages button[lang=fr]');
  await page.fill('#search-field', places.home.replace(',', ', '));
  await page.keyboard.press('Enter');
  await panelShown(page, 'scores');
  await page.selectOption('#heat-score', 'parks');
  await openPanel(page, 'compare');
  await page.click('#panel button');
  await page.fill('#search-field', places.other.replace(',', ', '));
  await page.keyboard.press('Enter');
  await page.waitForSelector('#panel table.pairs');
  await openPanel(page, 'scores');
  await page.click('button[data-score=cafes]');
  await page.waitForSelector('.why-content');
  await mapOf(page, map => map.jumpTo({ zoom: 14.31, center: map.getCenter().toArray().map((x, i) => x + 0.002 * (i + 1)) }));
  await page.waitForFunction(() => /map=14\.31/.test(location.hash));
  const parts = [...new URLSearchParams((await viewOf(page)).hash.slice(1)).keys()];
  assert.deepEqual(parts.sort(), ['at', 'heat', 'lang', 'map', 'panel', 'why', 'with'], 'the link has every part');
  // Another session of the same browser knows nothing of the first one but the link.
  const stranger = await visit(site, { drawn: true, language: 'en' });
  const same = async (wait) => {
    const other = await look(stranger, await page.evaluate(() => location.hash.slice(1)));
    if (wait) await other.waitForSelector(wait);
    // Outlines, marks and the map's place follow a panel, in either window.
    await eventually(async () => {
      const mine = await viewOf(page);
      assert.deepEqual(mine.map.marks.map(one => one.properties.role), ['here', 'other']);
      assert.ok(mine.map.outline.at(-1), 'an outline is drawn');
      assert.deepEqual(await viewOf(other), mine);
    });
    await other.close();
  };
  await same('.why-content');
  for (const id of ['people', 'market', 'pois', 'schools', 'profile', 'compare']) {
    await openPanel(page, id);
    await same();
  }
  const area = page.locator('.crumbs button').nth(-3), name = await area.innerText();
  await area.click();
  await page.waitForFunction(name => document.querySelector('#panel .sides li')?.innerText === 'A ' + name, name);
  assert.match(await page.evaluate(() => location.hash), /&in=g/);
  await page.waitForFunction(() => !/map=14\.31/.test(location.hash)); // the map has moved to the area, after its panel is shown
  await same();
  await leave(session);
  await leave(stranger);
});
