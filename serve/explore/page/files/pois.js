// The panel of points of interest by category, around a point or in an area; those of an open category are on the map.
import {el} from './dom.js';
import {feature, point} from './geo.js';
import {keep} from './sheet.js';

const radii = [500, 1000, 2000, 5000];
const limit = 500; // of an answer

let radius = 1000; // that was chosen last, in metres

// ask asks the places of a place with their categories.
export const ask = (place, {api, language}) => Promise.all([placesOf(place, api), categoriesOf(api, language)]);

// show writes the categories of a place with their numbers into an element.
export async function show(element, place, context) {
  const {t, number} = context;
  element.append(el('h3', {}, t('pois.title')));
  const body = el('div');
  if (!place.geog_id) element.append(radiusChoice(context, () => fill().catch(error => context.onError(body, error))));
  element.append(body);
  const said = count => count === undefined ? t('pois.some') : number(count);
  let asked = 0;
  await fill();

  async function fill() {
    const number_ = ++asked;
    const [answer, categories] = await ask(place, context);
    if (number_ !== asked) return;
    context.map.erase();
    const {counts, unknown_categories: unknown = []} = answer.meta;
    const found = new Set(answer.data.results.flatMap(one => one.categories));
    const all = categories.data.results.toSorted((a, b) => a.name.localeCompare(b.name, context.language));
    const names = all.filter(one => counts.total_by_category[one.id] > 0 || found.has(one.id));
    const others = all.filter(one => unknown.includes(one.id) && !found.has(one.id)).map(one => one.name);
    const note = others.length ? el('p', {class: 'missing'}, t('pois.unknown', {list: others.join(', ')})) : '';
    if (!counts.total_count) return body.replaceChildren(others.length < all.length ? el('p', {class: 'missing'}, t('pois.none')) : '', note);
    body.replaceChildren(
      el('p', {class: 'small'}, t('pois.total', {count: counts.total_count}), counts.total_count > limit ? ' ' + t('pois.more', {limit: number(limit)}) : ''),
      keep(el('div', {}, names.map(one => category(one, counts, answer, place, context))),
        {section: t('pois.title'), code: 'count', rows: names.map(one => ({label: one.name, value: counts.total_by_category[one.id], text: said(counts.total_by_category[one.id])}))}), note);
    if (!place.geog_id) facts(answer.data.results, context);
  }

  // facts says what is known of the place whose dot on the map was clicked last, if it is one of those here.
  function facts(results, {picked}) {
    const one = picked && results.find(one => one.name === picked.name && Math.abs(one.lat - picked.lat) + Math.abs(one.lng - picked.lng) < 1e-4);
    if (!one) return;
    const kinds = categoriesOf(context.api, context.language).then(all => all.data.results.filter(kind => one.categories.includes(kind.id)).map(kind => kind.name));
    const about = el('span', {class: 'small'});
    kinds.then(names => about.append(names.join(', ')), () => {});
    body.prepend(el('section', {class: 'picked', 'aria-label': t('pois.picked')}, el('h4', {}, one.name), about, el('ul', {class: 'places'}, item(one, context))));
  }
}

const categoriesOf = (api, language) => api.get('enhanced-pois/categories', {language});

const placesOf = (place, api, categories) => place.geog_id
  ? api.get('enhanced-pois/' + encodeURIComponent(place.geog_id), {categories, limit})
  : api.get('enhanced-pois', {lat: place.lat, lng: place.lng, radius, categories, limit});

function radiusChoice({t, number}, changed) {
  const choice = el('select', {id: 'pois-radius', onchange: () => { radius = Number(choice.value); changed(); }},
    radii.map(m => el('option', {value: m, selected: m === radius}, t('metres', {m: number(m)}))));
  return el('p', {class: 'choice'}, el('label', {for: 'pois-radius'}, t('pois.radius')), ' ', choice);
}

// category is one that opens. What an answer about all categories left out is asked when it is opened.
function category({id, name}, counts, answer, place, context) {
  const {t, number} = context;
  const total = counts.total_by_category[id]; // undefined: not known here
  const list = el('div');
  const details = el('details', {class: 'category', name: 'pois', ontoggle: () => details.open ? open() : close()},
    el('summary', {}, name, ' ', el('span', {class: 'count'}, total === undefined ? t('pois.some') : number(total))), list);

  async function open() {
    try {
      const complete = counts.returned_count === counts.total_count || total !== undefined && counts.returned_by_category[id] === total;
      const {data} = complete ? answer : await placesOf(place, context.api, [id]);
      const found = data.results.filter(one => one.categories.includes(id));
      list.replaceChildren(
        total > found.length ? el('p', {class: 'small'}, t('pois.nearest', {count: found.length})) : '',
        keep(el('ul', {class: 'places'}, found.map(one => item(one, context))), {section: name, code: 'm', rows: found.map(one => ({
          label: one.name, value: one.proximity.linear_distance_m, text: t('metres', {m: number(one.proximity.linear_distance_m)}), note: [one.address, one.phone].filter(Boolean).join(' · '),
        }))}));
      if (details.open) context.map.draw(found.map(one => feature('place', point(one), {label: one.name})));
    } catch (error) {
      context.onError(list, error);
    }
  }

  function close() {
    if (!details.parentElement.querySelector('details[open]')) context.map.erase();
  }
  return details;
}

function item(one, context) {
  const {t, number, map} = context;
  const about = [one.address, one.phone].filter(Boolean).join(' · ');
  const name = map.available ? el('button', {type: 'button', class: 'on-map', title: t('show_on_map'), onclick: () => map.flyTo(one, 17)}, one.name) : one.name;
  return el('li', {}, el('span', {class: 'row'}, el('span', {}, name), el('span', {class: 'distance'}, t('metres', {m: number(one.proximity.linear_distance_m)}))),
    about ? el('span', {class: 'small'}, about) : null);
}
