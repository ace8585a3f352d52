// Choices of the panels: of one of several things, and of the geography that figures are of.

import { el } from './dom.js';

let made = 0;

// choice returns a labelled list to choose one option from. options: [{value, label}]; onchange gets the value.
export function choice({ label, options, chosen, onchange }) {
  const id = `choice-${++made}`;
  return el('p', { class: 'choice' }, el('label', { for: id }, label, ' '),
    el('select', { id, onchange: event => onchange(event.target.value) },
      options.map(({ value, label }) => el('option', { value, selected: value === chosen }, label))));
}

// radios returns a group of options of which one is chosen, all in view.
export function radios({ label, options, chosen, onchange }) {
  const name = `choice-${++made}`;
  return el('fieldset', { class: 'radios' }, el('legend', {}, label),
    options.map(({ value, label }) => el('label', {}, el('input', { type: 'radio', name, value, checked: value === chosen, onchange: () => onchange(value) }), ' ', label)));
}

// geographies are the options of a place: its geographies with their levels, the smallest first.
export const geographies = (place, language) =>
  (place.geographies ?? []).map(g => ({ value: g.geog_id, label: g.level_type ? `${g.name[language]} (${g.level_type[language]})` : g.name[language] }));

// reader returns read(ask, show, fail), which shows the answer of the last question alone: that of an earlier one, which comes
// later, is left out.
export function reader() {
  let last = 0;
  return async (ask, show, fail) => {
    const mine = ++last;
    try {
      const answer = await ask();
      if (mine === last) show(answer);
    } catch (error) {
      if (mine === last) fail(error);
    }
  };
}
