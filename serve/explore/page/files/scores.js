// The panel of the 18 scores: bars with their texts, and for a point beside each what counted.
import {besideNotes, besideOf, besideRow} from './beside.js';
import {scoreBars} from './charts.js';
import {el} from './dom.js';
import {explained} from './why.js';
import {formats} from './formats.js';
import {scores as vocabulary} from './vocabulary.js';

// ask asks the scores of a place.
export const ask = (place, {api, language}) => place.geog_id
  ? api.get('scores/' + encodeURIComponent(place.geog_id), {language})
  : api.get('scores', {lat: place.lat, lng: place.lng, language});

// show writes the scores of a place into an element. Only at a point can they be explained: those of an area are medians over its
// homes.
export async function show(element, place, context) {
  const {language, t, release} = context, smallest = place.geographies[0], format = formats(language);
  const [answer, around] = await Promise.all([ask(place, context), besideOf(place.geog_id ?? smallest?.geog_id, context)]);
  const data = around && {...around, name: place.geog_id ? null : smallest.name}, own = Boolean(place.geog_id);
  element.className = 'scores';
  element.append(el('h3', {}, t('scores.title')));
  const scores = answer && (place.geog_id ? answer.data.scores : answer.data.location);
  if (!scores) return element.append(el('p', {class: 'missing'}, t('scores.none')));
  element.append(el('p', {class: 'small'}, t(place.geog_id ? 'scores.of_area' : 'scores.of_point')));
  const notes = besideNotes(data, vocabulary.map(score => score.id), context, own);
  if (notes.length) element.append(el('ul', {class: 'notes'}, notes.map(text => el('li', {}, text))));
  const agreed = release?.scores ?? vocabulary.map(score => score.id);
  const state = {open: null};
  for (const category of new Set(vocabulary.map(score => score.category))) {
    const names = vocabulary.filter(score => score.category === category && agreed.includes(score.id)).map(({id, name}) => ({id, label: name[language]}));
    if (!names.length) continue;
    element.append(scoreBars({
      scores, names, caption: t('scores.category.' + category), format, t,
      beside: (row, id) => besideRow(row, id, data, format.score, context, own),
      detail: id => place.geog_id || !scores[id] ? null : whyButton(id, place, context, state),
    }));
  }
  const missing = vocabulary.filter(score => !agreed.includes(score.id)).map(score => score.name[language]);
  if (missing.length) element.append(el('p', {class: 'small'}, t('scores.not_agreed', {list: missing.join(', ')})));
  const wanted = !place.geog_id && context.view.why && element.querySelector(`[data-score="${CSS.escape(context.view.why)}"]`);
  if (wanted) toggle(wanted, place, context, state);
}

// whyButton opens and closes the explanation of a score, which is a row of the table below that of the score.
function whyButton(id, place, context, state) {
  const {t, language} = context;
  const name = vocabulary.find(score => score.id === id).name[language];
  return el('button', {
    type: 'button', class: 'why', 'aria-expanded': 'false', 'aria-label': t('why.label', {score: name}), dataset: {score: id},
    onclick: event => toggle(event.currentTarget, place, context, state, {fit: true}),
  }, t('why'));
}

async function toggle(button, place, context, state, {fit = false} = {}) {
  const {open} = state;
  if (open) {
    open.button.setAttribute('aria-expanded', 'false');
    open.row.remove();
    state.open = null;
    context.map.erase();
    if (open.button === button) return context.set({why: null});
  }
  const score = button.dataset.score;
  const cell = el('td', {colspan: '2', class: 'why-cell'}, el('p', {class: 'waiting'}, context.t('waiting')));
  const row = el('tr', {class: 'why-row'}, cell);
  button.setAttribute('aria-expanded', 'true');
  button.closest('tr').after(row);
  state.open = {button, row};
  context.set({why: score});
  try {
    const report = await context.api.explore('explain', {lat: place.lat, lng: place.lng, score, language: context.language});
    if (state.open?.row !== row) return;
    const {content, features} = explained(report, place, context);
    cell.replaceChildren(content);
    context.map.draw(features, {fit});
  } catch (error) {
    context.onError(cell, error);
  }
}
