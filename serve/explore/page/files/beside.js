// The figures of a geography beside those of what contains it, with its rank among areas of its level: one answer of the server, from
// which the panels take what they show. What the release has not is left out.
import {el} from './dom.js';
import {known} from './formats.js';
import {levels} from './vocabulary.js';
import {list} from './words.js';

// besideOf asks for the figures around a geography; null without one, or where there is no answer: a panel shows its own figures then.
export async function besideOf(geog_id, {api}) {
  if (!geog_id) return null;
  return api.explore('context', {geog_id}).then(answer => answer?.data ?? null, error => {
    if (error.kind === 'session_ended') throw error;
    return null;
  });
}

export const levelName = (level, language) => levels.find(one => one.level === level)?.name[language] ?? String(level);

// within is the name of the state or country among whose areas a rank is.
const within = (among, data, language, t) => data.beside.find(one => one.geog_id === among)?.name[language] ?? t('country.' + among);

// besideRow adds to a row of a chart what stands beside its value: an element, the median of its peers, its rank, and rows for a file.
//   figure: its id; write: how its values are written; own: whether the row is of the geography itself, and not of a point in it
export function besideRow(row, figure, data, write, {language, t}, own = true) {
  const found = data?.figures[figure];
  if (!found) return row;
  const written = n => n.open ? t('open.' + n.open, {value: write(n.value)}) : write(n.value);
  const around = [...(own ? [] : [[data, found.own]]), ...data.beside.map((area, i) => [area, found.beside[i]])].filter(([area, n]) => n && area.name);
  const rank = own && known(row.value) ? found.rank : null;
  const said = [...new Set(around.map(([area, n]) => `${area.name[language]} ${written(n)}`))]; // a city and its county are often one
  if (rank) said.push(t('beside.rank', {percent: rank.percent, count: rank.count}));
  if (!said.length) return row;
  const element = el('small', {class: 'beside'}, said.join(' · '));
  const more = around.map(([area, n]) => ({label: row.label, place: area.name[language], value: n.open ? undefined : n.value, low: n.lower, high: n.upper, text: written(n)}));
  return {...row, beside: element, median: rank?.median, rank, more};
}

// besideNotes says among which areas ranks are, and which of what contains the geography has no figures of these.
export function besideNotes(data, figures, {language, t}, own = true) {
  const found = figures.map(id => data?.figures[id]).filter(Boolean);
  if (!found.length) return [];
  const level = Number(data.geog_id.slice(1, 3));
  const among = [...new Set(own ? found.map(one => one.rank?.among).filter(Boolean) : [])];
  const none = data.beside.filter((_, i) => !found.some(one => one.beside[i])).map(area => area.name[language]);
  return [
    among.length ? t('beside.peers', {level: levelName(level, language), where: list(language, among.map(one => within(one, data, language, t)))}) : null,
    none.length ? t('beside.none', {list: list(language, none)}) : null,
    !among.length && own && found.some(one => one.own) ? t('beside.few') : null,
  ].filter(Boolean);
}
