// The key scores of a place, in its head: what one sees of it first in a small window.
import {el} from './dom.js';
import {formats} from './formats.js';
import {scores as vocabulary} from './vocabulary.js';

// most are shown, the first known of wanted.
const most = 4;
const wanted = ['pedestrian_friendly', 'transit_friendly', 'groceries', 'quiet', 'cycling_friendly', 'parks', 'cafes', 'restaurants'];

// keysOf makes a list of an answer of /v3/scores; null where none of them is known.
export function keysOf(answer, {language, t}) {
  const scores = answer?.data?.scores ?? answer?.data?.location ?? {}, format = formats(language);
  const found = wanted.filter(id => scores[id]).slice(0, most);
  if (!found.length) return null;
  return el('ul', {class: 'keys', 'aria-label': t('keys.title')}, found.map(id => el('li', {},
    el('span', {}, vocabulary.find(score => score.id === id).name[language]), ' ', el('b', {}, format.score(Number(scores[id].value))))));
}
