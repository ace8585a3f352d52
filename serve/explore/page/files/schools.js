// The panel of schools, with the catchments that a point is in; they are drawn on the map.
import {el} from './dom.js';
import {feature, multiPolygon, point} from './geo.js';
import {keep} from './sheet.js';
import {words} from './words.js';

const limit = 10; // of each list

// ask asks the schools around a point; those of an area are around its middle, which is not known before it.
export const ask = (place, {api, language}) => place.lat === undefined ? null : api.get('schools', {lat: place.lat, lng: place.lng, limit, language, include_catchments: true});

// show writes the schools around a place into an element: around the point, or around the middle of an area.
export async function show(element, place, context) {
  const {t, number} = context;
  const answer = await ask(place, context);
  const lists = {primary: answer.data.primary_schools, high: answer.data.high_schools};
  element.append(el('h3', {}, t('schools.title')));
  if (place.geog_id) element.append(el('p', {class: 'small'}, t('schools.of_area')));
  if (!lists.primary.length && !lists.high.length) return element.append(el('p', {class: 'missing'}, t('schools.none')));
  const all = [...lists.primary, ...lists.high];
  const inside = all.filter(school => school.catchments.some(one => one.inside));
  if (!all.some(school => school.catchments.length)) element.append(el('p', {class: 'small'}, t('schools.no_catchments')));
  for (const [id, schools] of Object.entries(lists)) {
    element.append(el('h4', {}, t('schools.' + id)), schools.length
      ? keep(el('ul', {class: 'places'}, schools.map(school => item(school, context))), {section: t('schools.' + id), code: 'm', rows: schools.map(school => row(school, context))})
      : el('p', {class: 'missing'}, t('schools.none_' + id)));
  }
  element.append(el('p', {class: 'small'}, t('schools.distance', {m: number(5000)})));
  draw(all, inside, context);
}

// draw shows schools as points, and the catchments of chosen ones.
function draw(all, chosen, context, options) {
  const outlines = chosen.flatMap(school => school.catchments.filter(one => one.geometry).map(one => feature('catchment', multiPolygon(one.geometry), {inside: one.inside === true})));
  const points = [...new Map(all.map(school => [school.name + school.lat, school])).values()].map(school => feature('place', point(school), {label: school.name}));
  context.map.draw([...outlines, ...points], options);
}

const row = (school, context) => ({label: school.name, value: school.proximity.linear_distance, text: context.t('metres', {m: context.number(school.proximity.linear_distance)}), note: factsOf(school, context)});

function factsOf(school, {t, language}) {
  const {school_attributes: about = {}} = school;
  return [
    about.levels?.join(', '), about.grades && t('schools.grades', {grades: about.grades}), about.types?.join(', '), about.programs?.join(', '),
    about.languages?.map(code => languageName(code, language)).join(', '), school.school_board_attributes?.name,
    school.rating && t('schools.rating', {rating: school.rating}), school.num_students !== undefined && t('schools.students', {count: school.num_students}),
  ].filter(Boolean).join(' · ');
}

function item(school, context) {
  const {t, number} = context, facts = factsOf(school, context);
  const own = school.catchments.filter(one => one.inside);
  const kinds = [...new Set(own.map(one => [one.level, one.program].filter(Boolean).join(', ')))].join('; ');
  const button = school.catchments.length && context.map.available
    ? el('button', {type: 'button', class: 'why', 'aria-label': t('schools.show_catchment', {name: school.name}), onclick: () => draw([school], [school], context, {fit: true})}, t('schools.catchment'))
    : null;
  return el('li', {},
    el('span', {class: 'row'}, el('b', {}, school.name), el('span', {class: 'distance'}, t('metres', {m: number(school.proximity.linear_distance)}))),
    own.length ? el('span', {class: 'inside'}, t('schools.inside', {levels: kinds})) : null,
    facts ? el('span', {class: 'small'}, facts) : null,
    el('span', {class: 'small'}, [school.address, school.city].filter(Boolean).join(', '), ' ', button));
}

// languageName is the name of a code of two or three letters; the API has names already in French. Browsers do not name all languages
// of schools.
function languageName(code, language) {
  if ('language.' + code in words) return words['language.' + code][language];
  return /^[a-z]{2,3}$/.test(code) ? new Intl.DisplayNames(language, {type: 'language', fallback: 'code'}).of(code) : code;
}
