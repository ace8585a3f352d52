// The start of the page, and what holds it together: the view (what the link holds), the place that is looked at, and the
// parts of the page that show them. A change of the view goes through set, which writes the link; a choice is a step of the browser's
// history, and restore goes back to one.
import {createApi} from './api.js';
import {el} from './dom.js';
import {nowhere} from './map-none.js';
import {createPlace} from './place.js';
import {createSearch} from './search.js';
import {createCompared} from './compared.js';
import {createWork} from './work.js';
import {createFrame} from './frame.js';
import {createSheet} from './drawer.js';
import {formats} from './formats.js';
import {createHeat} from './heat.js';
import {rounded} from './geo.js';
import {read, write} from './link.js';
import {resolve} from './resolve.js';

const $ = id => document.getElementById(id);

// A place whose panel is not there after so many ms is marked on the map before it.
const markDelay = 100;

const view = {...read(location.hash)};
const api = createApi({onRelease: swapped});

// context is what parts of the page get. Panels read: api, language, t(key, values), number(value, digits), onError(element,
// error), sentence(error), release, agrees(product), map, view, set(changes), select(target), compare (of compared.js),
// work (of work.js), announce(text).
const context = {api, view, set, select, agrees, map: nowhere(true), pickPOI};
const frame = createFrame(context, changeLanguage), {announce, say, sentence} = frame;
Object.assign(context, {announce, sentence, onError: frame.onError});
const compared = context.compare = createCompared(context, {say, ask: () => parts.search.focus(), shown: showCompared});

const work = context.work = createWork(context, {say, ask: () => parts.search.focus(), shown: showWork});

let parts;          // place, search, heat and sheet, and with the map areas, which render(…) makes
let place = null;   // that is looked at
let chosen;         // the promise of the last choice
let selection = 0;  // counts places, so that an answer about an earlier one is not shown

start();

// What a link asks for is asked first and drawn on the page; the library of the map, which is larger than all else, comes after it.
async function start() {
  frame.setLanguage(view.language ?? (navigator.language?.startsWith('fr') ? 'fr' : 'en'));
  parts = {
    place: createPlace($('place'), context), search: createSearch($('search'), context), heat: createHeat($('heat'), context),
    sheet: createSheet($('sheet'), context),
  };
  render();
  const target = targetOf(view), keepMap = Boolean(view.map);
  if (target) resolve(api, target).catch(() => {}); // which visit asks again, and is answered from memory
  try {
    context.release = await api.release();
  } catch (error) {
    return say(sentence(error));
  }
  frame.renderRelease();
  parts.search.name();
  const others = compared.restore(view.compare);
  if (view.panel === 'compare') await others;
  if (!selection && target) select(target, {keepMap, keepPanel: true});
  else if (!selection) parts.place.render(null);
  await chosen;
  await painted();
  const goal = view.map; // of the link, or of a place to begin with
  await startMap();
  if (place) context.map.outline(place, {fit: !goal && Boolean(place.geog_id)});
  parts.place.prepare();
}

// startMap makes the map, and draws on it what was chosen before it was there.
async function startMap() {
  const before = context.map;
  try {
    const make = await loadMap();
    context.map = await make({element: $('map'), context, onClick: select, onMove, onTileError});
    import('./areas.js').then(({createAreas}) => { (parts.areas = createAreas($('areas'), $('areas-table'), context)).render(); }, () => {});
  } catch (reason) {
    if (typeof reason !== 'string') throw reason;
    context.map = nowhere();
    frame.withoutMap(reason);
    if (place) await parts.place.show(place);
    else parts.place.render(null);
  }
  before.pass(context.map);
  parts.heat.render();
  parts.areas?.render();
  context.map.mark(place && view.at);
  context.map.markOther(compared.others);
}

// targetOf is what a view looks at, for resolve; null: nothing.
function targetOf(view) { return view.geography ? {geog_id: view.geography, at: view.at} : view.at; }

// pickPOI opens what is known of a point of interest that was clicked: {name, lat, lng, at}, at being where.
function pickPOI(picked) {
  if (compared.picking || work.picking) return select({lat: picked.lat, lng: picked.lng});
  context.picked = picked;
  set({panel: 'pois'});
  return select(rounded(picked), {keepMap: true, keepPanel: true});
}

// loadMap resolves to the function that makes the map, and rejects with the key of the words for why there is none.
async function loadMap() {
  if (!document.createElement('canvas').getContext('webgl2')) throw 'map.no_webgl';
  document.head.append(el('link', {rel: 'stylesheet', href: 'files/maplibre/maplibre-gl.css'}));
  const [module] = await Promise.all([import('./map.js'), import('./maplibre/maplibre-gl.mjs')]).catch(() => { throw 'map.not_compiled'; });
  return module.createMap;
}

// render writes what depends on the language alone.
function render() {
  frame.render();
  parts.search.render();
  parts.heat.render();
  parts.areas?.render();
  parts.sheet.render();
  parts.place.render(place);
}

function changeLanguage(language) {
  set({language});
  frame.setLanguage(language);
  render();
  context.map.setLanguage(language);
  if (place) parts.place.show(place).then(retitle);
  else retitle();
  $('tools').querySelector('[aria-pressed=true]')?.focus();
}

// select looks at a target of resolve, once the place to compare with need not be chosen.
function select(target, options) {
  return chosen = work.picking ? work.set(target) : compared.picking ? compared.add(target) : visit(target, options);
}

// visit looks at a target. What the place is and what its panel needs are asked first and at once, and the map is drawn
// last: its next frame can take longer than both answers. goal is where the map goes, unless to what the place is.
async function visit(target, {keepMap = false, keepPanel = false, goal = null} = {}) {
  const number = ++selection;
  const resolved = resolve(api, target);
  parts.place.wait(target);
  const changes = target.geog_id ? {geography: target.geog_id, at: target.at ?? null} : {geography: null, at: {lat: target.lat, lng: target.lng}};
  if (!keepPanel) changes.why = null;
  set(changes);
  if (goal) {
    set({map: goal});
    context.map.jumpTo(goal);
  }
  say('');
  const marked = soon(markDelay, () => context.map.mark(view.at));
  try {
    const found = await resolved;
    if (number !== selection) return;
    place = found;
  } catch (error) {
    marked();
    if (number !== selection) return;
    place = null;
    parts.place.fail(target, error);
    return retitle();
  }
  announce(parts.place.summary(place));
  retitle(); // before its name is on the page; and after it, for the panel may be another one
  await parts.place.show(place);
  retitle();
  await painted();
  marked();
  if (number === selection) context.map.outline(place, {fit: !keepMap && !goal && Boolean(place.geog_id)});
}

// leave goes back to what one sees before a place is chosen.
function leave() {
  selection++;
  place = null;
  parts.place.clear();
  context.map.mark(null);
  context.map.outline({geographies: []}, {});
}

// retitle names the place and the panel in the title of the window, by which the browser lists its history.
function retitle() {
  const {t} = context;
  document.title = [place && parts.place.title(place), place && t('panel.' + parts.place.active()), t('title')].filter(Boolean).join(' – ');
}

// soon calls a function after ms, or before that when what it returns is called; once in all.
function soon(ms, action) {
  const timer = setTimeout(now, ms);
  let done = false;
  function now() {
    clearTimeout(timer);
    if (!done) action();
    done = true;
  }
  return now;
}

// painted resolves when what was written is on the screen. A window that is not looked at paints nothing and does not wait.
const painted = () => document.hidden ? null : new Promise(done => requestAnimationFrame(() => setTimeout(done)));

// showCompared shows a panel that compares with other places than before.
async function showCompared() {
  if (place && parts.place.active() === 'compare') await parts.place.show(place);
}

// showWork shows the panels that have the way to work, with another one than before.
async function showWork() {
  if (place && ['travel', 'compare'].includes(parts.place.active())) await parts.place.show(place);
}

// set changes the view and the link. A choice of a place, a panel, a comparison, colours or a language is another step of the browser's
// history; movements of the map, and what is open in a panel, belong to the step that is there.
function set(changes) {
  const before = choices(view);
  Object.assign(view, changes);
  const step = choices(view) !== before;
  history[step ? 'pushState' : 'replaceState'](null, '', write(view));
  if (step && changes.panel) retitle();
}

function choices(view) { return write({...view, map: null, why: null}); }

// restore shows the view of the address, after a step through the history, or after it was edited, without loading the page again.
async function restore() {
  const next = read(location.hash), before = {...view};
  next.language ??= view.language;
  if (write(next) === write(view)) return;
  Object.assign(view, next);
  const changed = (...keys) => keys.some(key => write({[key]: before[key]}) !== write({[key]: view[key]}));
  const target = targetOf(view);
  if (changed('language')) frame.setLanguage(view.language);
  if (view.map && changed('map')) context.map.jumpTo(view.map);
  if (!target) leave();
  if (changed('language')) {
    render();
    context.map.setLanguage(view.language);
  }
  if (changed('heat')) parts.heat.render();
  if (changed('areas')) parts.areas?.render();
  if (changed('compare')) await compared.restore(view.compare);
  if (target && (!place || changed('at', 'geography'))) await visit(target, {keepMap: Boolean(next.map), keepPanel: true});
  else if (target && changed('panel', 'language', 'why', 'compare', 'travel', 'work')) await parts.place.show(place);
  retitle();
}

function onMove(map) {
  set({map});
  parts.heat.moved(map);
  parts.areas?.moved();
}

// onTileError is called with the status of a tile that did not come.
function onTileError(status) {
  if (status === 401) say(context.t('error.session_ended'));
  else if (status === 429) say(context.t('error.tiles_too_many'));
  else if (status === 503) say(context.t('error.unavailable'));
}

// swapped is called when an answer comes from another release: all that is shown is asked again.
async function swapped() {
  try {
    context.release = await api.release();
  } catch (error) {
    return say(sentence(error));
  }
  frame.renderRelease();
  parts.search.name();
  context.map.reload(context.release);
  parts.areas?.render();
  if (place) await select(place.geog_id ? {geog_id: place.geog_id, at: view.at} : view.at, {keepMap: true, keepPanel: true});
  say(context.t('release.swapped', {date: formats(context.language).date(context.release.as_of)}));
}

// agrees reports whether the agreement has a product of the API, as far as it is known by now.
function agrees(product) { return context.release?.products.includes(product) ?? true; }

for (const event of ['popstate', 'hashchange']) addEventListener(event, restore);
