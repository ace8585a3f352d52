// The heat layer: one score at the streets as colours on the map, with a legend in the words of the score.
import {el} from './dom.js';
import {scores} from './vocabulary.js';

// Below this zoom the heat layer has no tiles.
const lowest = 10;

// createHeat returns what shows the choice of a score and its legend in an element.
export function createHeat(element, context) {
  const choice = el('select', {id: 'heat-score', onchange: () => choose(choice.value || null)});
  const label = el('label', {for: 'heat-score'});
  const legend = el('div', {class: 'legend-words'});
  element.replaceChildren(label, choice, legend);

  function choose(score) {
    context.set({heat: score});
    render();
  }

  function render() {
    const {t, language, view, map} = context;
    const score = scores.find(one => one.id === view.heat);
    element.hidden = !map.available;
    label.textContent = t('heat.label');
    choice.replaceChildren(el('option', {value: ''}, t('heat.none')),
      ...scores.map(one => el('option', {value: one.id, selected: one.id === view.heat}, one.name[language])));
    map.setHeat(score ?? null);
    legend.hidden = !score;
    if (score) renderLegend(score);
  }

  function renderLegend(score) {
    const {t, language, map, release} = context;
    const bands = score.texts.map((text, band) => el('li', {}, el('span', {class: 'swatch heat-' + band, 'aria-hidden': 'true'}), text[language])).reverse();
    const zoom = map.zoom();
    const missing = release && !release.zooms?.heat ? t('heat.missing') : zoom !== null && zoom < lowest ? t('heat.zoom') : null;
    legend.replaceChildren(missing ? el('p', {class: 'missing'}, missing) : null ?? '', el('ul', {'aria-label': t('heat.legend', {score: score.name[language]})}, bands), el('p', {class: 'small'}, t('heat.note')));
  }

  // moved is called when the map was moved: a layer that begins at a zoom says so below it.
  function moved() {
    const score = scores.find(one => one.id === context.view.heat);
    if (score) renderLegend(score);
  }

  return {render, moved};
}
