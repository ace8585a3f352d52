// What changed between two releases, compared with the report of quartier diff; and a release that is swapped while one looks, with its
// tiles. QUARTIER_CONTROL is the server: GET /link answers a link, POST /serve/NAME serves a release, of which "older" is what it
// compares with, "same" has the same content and "next" another one. QUARTIER_DIFF is the JSON of quartier diff of older and next.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { formats } from '../page/files/formats.js';
import { translator, words } from '../page/files/words.js';
import { accessible, answerOf, desktop, drawnOn, enter, eventually, fits, leave, look, made, mapOf, openPanel, panelShown, phone, picture, places, released, shared, shows, visit, vocabularyOf } from './open.mjs';

const control = process.env.QUARTIER_CONTROL, report = JSON.parse(readFileSync(process.env.QUARTIER_DIFF));

// compared is the site that compares. Its link is opened at once: it is valid for less long than all scripts may take.
const compared = fetch(control + '/link').then(answer => answer.text()).then(async link => enter(await shared(), link));

// serve serves another release, and returns its digest when the server answers with it and has compared it.
async function serve(session, name) {
  const release = async () => (await (await session.context.request.get(session.origin + '/explore/release.json')).json()).release;
  const before = await release(), answer = await fetch(`${control}/serve/${name}`, { method: 'POST' });
  assert.equal(answer.status, 200, await answer.text());
  const now = await eventually(async () => {
    const now = await release();
    assert.notEqual(now, before, `${name} is not served`);
    return now;
  });
  await made(session.context, session.origin + '/explore/changes');
  return now;
}

const roles = features => Object.fromEntries(['old', 'new'].map(role => [role, features.filter(one => one.properties.role === role).length]));
const nothing = { old: 0, new: 0 };

// noticed waits until a page has noticed that a release is served, and has drawn its tiles.
async function noticed(page, digest) {
  await page.waitForFunction(digest => document.querySelector('#attribution').innerText.includes(digest), digest.slice(0, 12));
  await page.waitForFunction(digest => globalThis.theMap.getSource('map')?.tiles?.[0].includes(digest), digest.slice(0, 16));
  await mapOf(page, () => {});
}

test('a release that is swapped while one looks: its tiles are fetched, and what changed is compared again', async () => {
  const session = await visit(await compared, { drawn: true }), say = translator('en');
  const tiles = [];
  session.context.on('response', async answer => {
    if (answer.url().includes('/explore/tiles/')) tiles.push({ url: answer.url(), status: answer.status(), release: answer.headers()['quartier-release'], etag: answer.headers().etag });
  });
  const page = await look(session, `at=${places.home}&panel=changes`), panel = page.locator('#panel');
  assert.ok((await panel.innerText()).includes(say('change.same')), 'the release is the one that is compared with');
  assert.deepEqual(roles(await drawnOn(page)), nothing);
  const same = await serve(session, 'same');
  // The map alone is moved: its tiles say that the release is another one.
  await mapOf(page, map => map.jumpTo({ zoom: 12 }));
  await noticed(page, same);
  // The notice follows the panel.
  const { as_of: date } = await answerOf(page, '/explore/release.json'), swapped = say('release.swapped', { date: formats('en').date(date) });
  await eventually(async () => assert.equal(await page.locator('#notice').innerText(), swapped));
  for (const key of ['change.none', 'change.outlines.none', 'change.scores.none']) assert.ok((await panel.innerText()).includes(say(key)), key);
  assert.equal(await panel.locator('table, button').count(), 0, 'nothing that changed is listed');
  assert.deepEqual(roles(await drawnOn(page)), nothing);
  tiles.length = 0;
  const next = await serve(session, 'next');
  await openPanel(page, 'scores');
  await noticed(page, next);
  await page.waitForFunction(() => document.querySelector('#panel table.bars'));
  const fresh = await eventually(() => {
    const found = tiles.filter(one => one.url.includes('release=' + next.slice(0, 16)));
    assert.ok(found.length > 0, 'tiles are asked again');
    return found;
  });
  for (const one of fresh) {
    assert.ok([200, 204].includes(one.status), `${one.url}: ${one.status}`);
    assert.equal(one.release, next, `${one.url} is of another release`);
    if (one.status === 200) assert.equal(one.etag.replace(/^W\//, ''), `"${next}"`);
  }
  await shows(page, 'street-minor');
  await leave(session);
});

// byMove orders moves as the panel does, without regard of those that are as large.
const byMove = (a, b) => b[1] - a[1] || String(a).localeCompare(String(b));

test('what changed is listed and drawn as quartier diff has it', async () => {
  for (const [language, size] of [['en', desktop], ['fr', desktop], ['en', phone], ['fr', phone]]) {
    const session = await visit(await compared, { language, size, drawn: true }), say = translator(language), format = formats(language), where = `${language}, ${size.width} pixels`;
    const [levels, scores] = [await vocabularyOf(session, 'levels'), await vocabularyOf(session, 'scores')];
    const page = await look(session, `lang=${language}`), panel = page.locator('#panel');
    await page.getByRole('button', { name: say('welcome.changes') }).click();
    await panelShown(page, 'changes');
    const answer = await answerOf(page, '/explore/changes');
    // Outlines and boxes are those that quartier diff draws, which its JSON has not.
    const bare = answer.changed.map(group => ({ ...group, ...Object.fromEntries(['older', 'newer'].map(side => [side, group[side].map(({ outline, ...rest }) => rest)])) }));
    assert.deepEqual(bare, report.changed, where);
    const unboxed = answer.scores.map(one => ({ ...one, moved: one.moved.map(({ bbox, ...rest }) => rest) }));
    assert.deepEqual(unboxed, report.scores, where);
    for (const name of ['levels', 'categories', 'brands', 'changed_beyond']) assert.deepEqual(answer[name], report[name], `${name}, ${where}`);
    const text = await panel.innerText();
    assert.ok(text.includes(say('change.about', { before: format.date(report.older.as_of), after: format.date(report.newer.as_of) })), where);
    // Groups of outlines.
    const names = of => of.map(one => one.name).join(', '), level = of => levels.find(one => one.level === of).name[language];
    assert.ok(report.changed.length > 3 && report.changed.length <= 40, 'the towns have changes that are all listed');
    const items = await panel.locator('ul.places > li').allInnerTexts();
    assert.equal(items.length, report.changed.length, where);
    for (const [i, group] of report.changed.entries()) {
      assert.ok(items[i].includes(names(group.older) || names(group.newer)), `${items[i]}: ${where}`);
      assert.ok(items[i].includes(`${say('change.kind.' + group.kind)} · ${level(group.level)}`), `${items[i]}: ${where}`);
      if (group.older.length && names(group.newer) !== names(group.older)) assert.ok(items[i].includes(say('change.became', { names: group.newer.length ? names(group.newer) : say('change.successor.none') })), `${items[i]}: ${where}`);
    }
    // Scores that moved, the largest moves first, with their reasons.
    const moves = report.scores.flatMap(one => one.moved.map(move => ({ ...move, score: one.score })));
    assert.ok(moves.length > 20, 'scores of the towns move');
    if (moves.length > 40) await panel.getByRole('button', { name: say('change.all', { count: moves.length }) }).click();
    const rows = await panel.locator('table.pairs tbody tr').evaluateAll(all => all.map(row => [...row.cells].map(cell => cell.innerText.trim())));
    const wanted = moves.map(move => [move.name, Math.abs(move.newer - move.older), scores.find(one => one.id === move.score).name[language] + ' ' + format.change(move.newer - move.older), format.score(move.older), format.score(move.newer)]).sort(byMove);
    assert.deepEqual(rows.map(row => row.slice(1)).sort(), wanted.map(row => row.slice(3)).sort(), `the scores before and after, ${where}`);
    for (const [name, , score, older, newer] of wanted) {
      assert.ok(rows.some(row => row[0].startsWith(name) && row[0].includes(score) && row[1] === older && row[2] === newer), `${name}, ${score}: ${where}`);
    }
    const cafes = moves.find(move => move.score === 'cafes' && move.places.length), [{ came, went, names: [one] }] = cafes.places;
    assert.ok(rows.some(row => row[0].startsWith(cafes.name) && row[0].includes(say('change.went', { count: went })) && row[0].includes(say('change.came', { count: came })) && row[0].includes(one)), `why ${cafes.name} moved: ${where}`);
    assert.ok((await panel.innerText()).includes(say('change.reason.other')), where);
    const counts = report.levels.filter(one => one.older !== one.newer);
    assert.deepEqual(await panel.locator('table.plain tbody tr').evaluateAll(all => all.map(row => [...row.cells].map(cell => cell.innerText.trim()))), counts.map(one => [level(one.level), format.count(one.older), format.count(one.newer)]), `numbers by level, ${where}`);
    // On the map: all outlines, then those of one group.
    const outlines = side => answer.changed.flatMap(group => group[side].filter(one => one.outline));
    assert.deepEqual(roles(await drawnOn(page)), { old: outlines('older').length, new: outlines('newer').length }, where);
    const split = answer.changed.findIndex(group => group.kind === 'split');
    await panel.locator('ul.places > li').nth(split).getByRole('button').press('Enter');
    const group = answer.changed[split], drawn = await drawnOn(page);
    assert.deepEqual(drawn.map(one => [one.properties.role, one.properties.label]), [...group.older.map(one => ['old', one.name]), ...group.newer.map(one => ['new', one.name])], where);
    for (const layer of ['old-line', 'new-line']) await shows(page, layer);
    const { data } = await answerOf(page, `/explore/api/geographies/${group.newer[0].geog_id}`), box = Object.values(data.geographies)[0].bounding_box;
    const outline = drawn.find(one => one.properties.role === 'new').geometry.coordinates.flat(2);
    for (const [side, at] of [['west', Math.min(...outline.map(p => p[0]))], ['south', Math.min(...outline.map(p => p[1]))], ['east', Math.max(...outline.map(p => p[0]))], ['north', Math.max(...outline.map(p => p[1]))]]) {
      assert.ok(Math.abs(at - box[side]) < 1e-3, `${side} of ${group.newer[0].name}: ${at}, and ${box[side]} of the API`);
    }
    await fits(page, where);
    await accessible(page, 'what changed, ' + where);
    await picture(page, `changes-${language}-${size.width}`);
    await leave(session);
  }
});

test('without another release nothing is offered to compare', async () => {
  for (const language of ['en', 'fr']) {
    const session = await visit(await released(), { language }), say = translator(language);
    const page = await look(session, `at=${places.home}&lang=${language}`);
    assert.equal(await page.locator('#tab-changes').count(), 0);
    await page.close();
    const asked = await look(session, `at=${places.home}&panel=changes&lang=${language}`);
    assert.ok((await asked.locator('#panel').innerText()).includes(say('change.off')), 'a link to it says how to have it');
    await leave(session);
  }
});
