// The panel of the place: its name, the geographies that it is in, and one panel of figures at a time. Panels are modules of
// their own, loaded when the page has nothing else to do, or when they are first looked at: export async function
// show(element, place, context), and optionally ask(target, context), which asks what show needs and does not depend on what the
// place is: target is that of resolve. Nothing is asked that is known to be refused: of a product that is not in the agreement, or of an
// area of a level above the one that the API has it for.
import {el} from './dom.js';
import {footOf} from './sheet.js';
import {keysOf} from './key-scores.js';
import {isolated, outside, regionAt, unknown, welcome, why} from './regions.js';
import {postal} from './resolve.js';

const panels = {
  scores: {module: () => import('./scores.js'), product: 'scores', level: 40},
  people: {module: () => import('./demographics.js'), product: 'demographics', level: 40},
  market: {module: () => import('./market.js'), product: 'market_stats', level: 40},
  pois: {module: () => import('./pois.js'), product: 'pois', level: 38},
  schools: {module: () => import('./schools.js'), product: 'schools', level: 40},
  walk: {module: () => import('./walk.js'), product: 'scores', level: 70},
  travel: {module: () => import('./travel.js'), product: 'travel', level: 40},
  profile: {module: () => import('./profile.js'), product: 'profiles', level: 38},
  compare: {module: () => import('./compare.js')},
  changes: {module: () => import('./changes.js')},
};

// createPlace returns what shows places in an element.
export function createPlace(element, context) {
  const head = el('div', {class: 'place-head'});
  const tabs = el('div', {class: 'tabs', role: 'tablist', onkeydown: arrows});
  const body = el('div', {class: 'panel', id: 'panel', role: 'tabpanel', tabindex: '0'});
  const foot = el('div', {class: 'place-foot'});
  let current = null;
  let shown = 0; // counts panels, so that one that comes late does not replace a later one
  let likely = 'scores'; // the panel where none is chosen
  element.replaceChildren(head, tabs, body, foot);

  const active = () => panels[context.view.panel] ? context.view.panel : likely;

  // regionOf is the region that a target or a place is in, as far as the release is known.
  const regionOf = ({lat, lng}) => lat === undefined ? null : regionAt(context.release?.regions ?? [], {lat, lng});

  // offered are the panels that have something in the region of a place, in order; outside of all regions each may have.
  function offered(place) {
    const region = regionOf(place);
    return Object.keys(panels).filter(id => panels[id].product && !refused(id, place) && (!region || region.known.some(one => one.what === id)));
  }

  const scoresOf = async place => (await load('scores')).ask(place, context);

  // settle chooses the panel where none is chosen: the first that has something here. Of scores it is asked whether there are any.
  async function settle(place) {
    const [first = 'scores', next] = offered(place);
    const none = error => error.kind === 'not_found' ? null : error;
    const empty = !panels[context.view.panel] && first === 'scores' && next && await scoresOf(place).catch(none) === null;
    likely = empty ? next : first;
  }

  function arrows(event) {
    const all = [...tabs.children];
    const at = all.indexOf(document.activeElement);
    const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all[(to + all.length) % all.length].focus();
    all[(to + all.length) % all.length].click();
  }

  // load gets the module of a panel, at once where it is there. Where that fails the release is asked, which fails with the reason if
  // the session has ended or the server is gone.
  const modules = {};
  const load = id => modules[id] ?? panels[id].module().then(module => modules[id] = module, async error => { await context.api.release(); throw error; });

  // prepare loads all panels one after the other while nothing else happens: the active one first.
  async function prepare() {
    for (const id of [active(), ...Object.keys(panels)]) {
      await new Promise(done => (globalThis.requestIdleCallback ?? setTimeout)(done));
      await panels[id].module().then(module => { modules[id] = module; }, () => {});
    }
  }

  // refused says why there is nothing to ask for a panel: a key of words; null if there is. The level is in a geog_id, too: g30_….
  function refused(id, {geog_id, level = Number(geog_id?.slice(1, 3))}) {
    if (panels[id].product && !context.agrees(panels[id].product)) return 'error.product';
    return geog_id && level > panels[id].level ? 'place.too_large' : null;
  }

  function renderTabs() {
    tabs.setAttribute('aria-label', context.t('place.tabs'));
    const focused = tabs.contains(document.activeElement);
    const ids = Object.keys(panels).filter(id => id === 'changes' ? context.release?.against : id !== 'travel' || context.release?.modes?.length);
    tabs.replaceChildren(...ids.map(id => el('button', {
      type: 'button', role: 'tab', id: 'tab-' + id, 'aria-controls': 'panel', 'aria-selected': String(id === active()),
      tabindex: id === active() ? '0' : '-1', onclick: () => open(id),
    }, context.t('panel.' + id))));
    body.removeAttribute('aria-label');
    body.setAttribute('aria-labelledby', 'tab-' + active());
    const chosen = document.getElementById('tab-' + active());
    if (focused) chosen?.focus();
    chosen?.scrollIntoView({block: 'nearest', inline: 'nearest'});
  }

  function open(id) {
    context.set({panel: id});
    renderTabs();
    if (current) show(current);
  }

  async function show(place) {
    current = place;
    await settle(place);
    if (current !== place) return;
    renderHead(place);
    renderTabs();
    tabs.hidden = body.hidden = false;
    foot.replaceChildren();
    await fill(place);
    if (current === place) renderKeys(place);
  }

  // renderKeys writes the key scores into the head, for windows that show little of the panel.
  async function renderKeys(place) {
    if (refused('scores', place)) return;
    const keys = keysOf(await scoresOf(place).catch(() => null), context);
    head.querySelector('.keys')?.remove();
    if (keys && current === place) head.querySelector('.crumbs').after(keys);
  }

  // fill writes the active panel; that of changes has no place.
  async function fill(place) {
    const number = ++shown;
    context.map.erase();
    const content = el('div', {'aria-busy': 'true'}, el('h3', {}, context.t('panel.' + active())), waiting());
    const old = body.firstElementChild;
    const soon = setTimeout(() => number === shown && body.replaceChildren(content), old ? 150 : 0);
    const fresh = el('div', {dataset: {panel: active()}});
    try {
      const why = refused(active(), place ?? {});
      const module = why ? null : await load(active());
      if (number !== shown) return;
      // What comes when another panel is shown is not drawn on the map.
      const draw = (...drawn) => number === shown && context.map.draw(...drawn);
      const map = new Proxy({}, {get: (_, name) => name === 'draw' ? draw : context.map[name]}); // that is there when it is used
      if (module) await module.show(fresh, place, {...context, map});
      if (module && place && active() !== 'changes') fresh.append(footOf(fresh, context.t('panel.' + active()), title(place), context));
      if (!module) fresh.append(el('h3', {}, context.t('panel.' + active())), el('p', {class: 'missing'}, context.t(why)));
    } catch (error) {
      context.onError(fresh, error);
    }
    clearTimeout(soon);
    const lack = place && regionOf(place)?.unknown.find(one => one.what === active());
    if (lack) fresh.append(el('p', {class: 'small lack'}, why(lack, context)));
    if (number === shown) body.replaceChildren(fresh);
  }

  const waiting = () => el('div', {class: 'skeleton'}, el('p', {class: 'waiting unseen'}, context.t('waiting')), [1, 2, 3, 4, 5, 6].map(() => el('i')));

  function renderHead(place) {
    const {t, language} = context;
    const kind = place.geog_id ? place.level_type?.[language] : t('place.point');
    head.replaceChildren(
      el('p', {class: 'kind'}, kind),
      el('h2', {}, isolated(title(place))),
      breadcrumb(place), place.level >= 37 || regionOf(place) ? '' : outside(place, context) ?? '', unknown(regionOf(place), context) ?? '');
    const row = head.querySelector('ol');
    row.scrollLeft = row.scrollWidth; // the smallest, where all are in one row
  }

  // breadcrumb has the geographies from the largest to the smallest, and at its end the point. Those of one name have their kind beside
  // it: a municipality and its metro area. A postal area has no part in the levels and stands beside the smallest.
  function breadcrumb(place) {
    const {t, language} = context;
    const alone = one => place.geographies.filter(other => other.name[language] === one.name[language]).length === 1;
    const point = place.geog_id ? place.at : {lat: place.lat, lng: place.lng};
    const beside = one => one.level === postal && one.geog_id !== place.geog_id;
    const order = [...place.geographies.filter(beside), ...place.geographies.filter(one => !beside(one))].reverse();
    const items = order.map(one => el('li', {class: beside(one) ? 'beside' : null}, el('button', {
      type: 'button', 'aria-current': one.geog_id === place.geog_id ? 'true' : null,
      title: one.level_type?.[language], onclick: () => context.select({geog_id: one.geog_id, at: point, known: one}, {keepPanel: true}),
    }, isolated(one.name[language]), alone(one) || !one.level_type ? null : el('small', {}, ' (', one.level_type[language], ')'))));
    if (point) items.push(el('li', {}, el('button', {
      type: 'button', 'aria-current': place.geog_id ? null : 'true', onclick: () => context.select(point, {keepPanel: true}),
    }, t('place.here'))));
    return el('nav', {class: 'crumbs', 'aria-label': t('place.levels')}, el('ol', {}, items));
  }

  // title is the name of a place: of a point that of the smallest geography around it.
  function title(place) {
    const {language, number} = context;
    if (place.geog_id) return place.name[language];
    if (place.called) return place.called;
    const smallest = place.geographies[0];
    return smallest ? smallest.name[language] : number(place.lat, 5) + ', ' + number(place.lng, 5);
  }

  function summary(place) {
    const around = place.geographies.filter(one => one.geog_id !== place.geog_id).map(one => one.name[context.language]);
    return context.t('place.summary', {name: title(place), around: [...new Set(around)].join(', ')});
  }

  function wait(target) {
    ++shown;
    likely = offered(target)[0] ?? 'scores';
    ahead(target);
    element.classList.add('chosen');
    document.body.classList.add('has-place');
    if (!current) {
      head.replaceChildren(waiting());
      foot.replaceChildren();
    }
  }

  // ahead asks what the panel will ask of a target, while it is not known yet what is around it.
  async function ahead(target) {
    if (refused(active(), target)) return;
    try {
      await (modules[active()] ?? await load(active())).ask?.(target, context);
    } catch {
      // The panel asks again, and says what failed.
    }
  }

  function fail(target, error) {
    ++shown;
    current = null;
    tabs.hidden = body.hidden = true;
    context.map.erase();
    const reason = el('div');
    context.onError(reason, error);
    head.replaceChildren(el('h2', {}, target.geog_id ?? context.number(target.lat, 5) + ', ' + context.number(target.lng, 5)), reason);
    foot.replaceChildren(target.geog_id || regionOf(target) ? '' : outside(target, context) ?? '');
  }

  // render writes what is there before a place is chosen.
  function render(place) {
    if (place || element.classList.contains('chosen')) return;
    const {t, release, noMap} = context;
    tabs.hidden = true;
    body.hidden = active() !== 'changes' || !release?.against;
    head.replaceChildren(el('h2', {}, t('welcome')), el('p', {}, t(noMap ? 'welcome.search' : 'welcome.how')),
      body.hidden && release?.against ? el('p', {}, el('button', {type: 'button', class: 'why', onclick: () => { context.set({panel: 'changes'}); render(null); body.focus(); }}, t('welcome.changes'))) : '');
    body.setAttribute('aria-label', t('panel.changes'));
    foot.replaceChildren(...release ? welcome(context) : [waiting()]);
    if (!body.hidden) fill(null);
  }

  // clear goes back to what is there before a place is chosen.
  function clear() {
    ++shown;
    current = null;
    element.classList.remove('chosen');
    document.body.classList.remove('has-place');
    body.replaceChildren();
    tabs.replaceChildren();
    context.map.erase();
    render(null);
  }

  return {render, clear, active, prepare, wait, fail, show, title, summary};
}
