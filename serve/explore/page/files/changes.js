// The panel of what changed between the release that is served and the one before it that the server was given. In: the JSON of
// quartier diff, with outlines. Out: lists of outlines that changed, drawn on the map as old and new, and of scores that moved, with
// why. It depends on no place.

import { bar } from './charts.js';
import { el } from './dom.js';
import { formats } from './formats.js';
import { feature } from './geo.js';
import { levels, scores as vocabulary } from './vocabulary.js';
import { words } from './words.js';

// most is the number of groups and moves that are listed before one asks for all.
const most = 40;

// reasonOf says why a score moved: the places near that came and went, or that there were none.
export function reasonOf(move, t) {
  if (move.places.length) {
    return move.places.map(({ class: kind, came, went, names }) => {
      const key = 'class.' + kind, counts = [came ? t('change.came', { count: came }) : '', went ? t('change.went', { count: went }) : ''].filter(Boolean).join(', ');
      return t('change.places', { kind: key in words ? t(key) : kind.replaceAll('_', ' '), counts, names: names.length ? t('change.names', { names: names.join(', ') }) : '' });
    }).join(' · ');
  }
  return t(/streets, homes or outline/.test(move.reason) ? 'change.reason.streets' : 'change.reason.other');
}

// movesOf lists the moves of all scores, the largest first.
export function movesOf(report) {
  return report.scores.flatMap(score => score.moved.map(move => ({ ...move, score: score.score })))
    .sort((a, b) => Math.abs(b.newer - b.older) - Math.abs(a.newer - a.older));
}

// featuresOf are the outlines of groups, for the map.
export function featuresOf(groups) {
  const of = (role, places) => places.filter(place => place.outline).map(place => feature(role, place.outline, { label: place.name }));
  return groups.flatMap(group => [...of('old', group.older), ...of('new', group.newer)]);
}

const levelName = (level, language) => levels.find(one => one.level === level)?.name[language] ?? String(level);

const head = (...texts) => el('thead', {}, el('tr', {}, texts.map(text => el('th', { scope: 'col' }, text))));

// levelsTable has the number of geographies by level where it changed.
function levelsTable(report, format, { language, t }) {
  const rows = report.levels.filter(one => one.older !== one.newer);
  if (!rows.length) return null;
  return el('table', { class: 'plain' }, el('caption', {}, t('change.levels')), head(t('change.level'), t('change.before'), t('change.after')),
    el('tbody', {}, rows.map(one => el('tr', {}, el('th', { scope: 'row' }, levelName(one.level, language)), el('td', {}, format.count(one.older)), el('td', {}, format.count(one.newer))))));
}

// groupItem is a group of outlines: what they were, what became of them, and a button that shows them.
function groupItem(group, { map, language, t }) {
  const names = places => places.map(place => place.name).join(', ');
  const title = names(group.older) || names(group.newer), drawn = featuresOf([group]);
  const became = group.older.length ? (group.newer.length ? names(group.newer) : t('change.successor.none')) : null;
  return el('li', {},
    el('span', { class: 'row' }, el('b', {}, title),
      map.available && drawn.length ? el('button', { type: 'button', class: 'why', 'aria-label': t('change.show', { name: title }), onclick: () => map.draw(drawn, { fit: true }) }, t('change.show.short')) : null),
    el('span', { class: 'small' }, t('change.kind.' + group.kind), ' · ', levelName(group.level, language)),
    became && became !== title ? el('span', { class: 'small' }, t('change.became', { names: became })) : null);
}

// moveRow is a geography whose score moved.
function moveRow(move, format, { select, language, t }) {
  const name = vocabulary.find(score => score.id === move.score)?.name[language] ?? move.score;
  const value = x => el('td', {}, el('div', { class: 'number' }, format.score(x)), bar({ value: x, max: 5 }));
  return el('tr', {},
    el('th', { scope: 'row' }, el('button', { type: 'button', class: 'on-map', onclick: () => select({ geog_id: move.geog_id }) }, move.name),
      el('span', { class: 'said' }, ' ', name, ' ', format.change(move.newer - move.older)), el('span', { class: 'said' }, ' ', reasonOf(move, t))),
    value(move.older), value(move.newer));
}

// shortened shows the first items, and all of them where one asks for it.
function shortened(items, show, { t }) {
  const rest = items.slice(most);
  const list = show(items.slice(0, most));
  if (!rest.length) return [list];
  const more = el('button', { type: 'button', class: 'plain-button', onclick: () => { more.remove(); list.replaceWith(show(items)); } }, t('change.all', { count: items.length }));
  return [list, more];
}

// contentOf returns a report as elements.
export function contentOf(report, context) {
  const { language, t } = context, format = formats(language), moves = movesOf(report);
  const parts = [el('p', { class: 'note' }, t('change.about', { before: format.date(report.older.as_of), after: format.date(report.newer.as_of) }))];
  if (!report.changed.length && !moves.length) parts.push(el('p', { class: 'absent' }, t('change.none')));
  parts.push(levelsTable(report, format, context));
  parts.push(el('h4', {}, t('change.outlines')));
  if (report.changed.length) {
    if (context.map.available) parts.push(el('p', { class: 'note' }, t('change.lines')));
    parts.push(...shortened(report.changed, groups => el('ul', { class: 'places' }, groups.map(group => groupItem(group, context))), context));
  } else {
    parts.push(el('p', {}, t('change.outlines.none')));
  }
  if (report.changed_beyond) parts.push(el('p', { class: 'note' }, t('change.beyond', { count: report.changed_beyond })));
  parts.push(el('h4', {}, t('change.moved')));
  if (moves.length) {
    parts.push(...shortened(moves, all => el('table', { class: 'pairs' }, el('caption', { class: 'unseen' }, t('change.moved')),
      head(t('change.geography'), t('change.before'), t('change.after')), el('tbody', {}, all.map(move => moveRow(move, format, context)))), context));
  } else {
    parts.push(el('p', {}, t('change.scores.none')));
  }
  return parts.filter(Boolean);
}

// show fills an element with the panel, and draws all outlines that changed.
export async function show(element, place, context) {
  const { api, map, t } = context;
  element.replaceChildren(el('h3', {}, t('change.title')));
  const { against, release: served } = context.release;
  if (!against || against.release === served) {
    element.append(el('p', { class: 'absent' }, t(against ? 'change.same' : 'change.off')));
    return;
  }
  const report = await api.explore('changes');
  element.append(...contentOf(report, context));
  map.draw(featuresOf(report.changed), { fit: false });
}
