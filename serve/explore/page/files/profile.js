// The panel of the profile: the texts about the geography in the language of the page, and those in the other one below.
import {el, paragraphs} from './dom.js';
import {keep} from './sheet.js';

// ask asks the texts in the language of the page and in the other one.
export const ask = (place, {api, language}) => Promise.all([language, language === 'fr' ? 'en' : 'fr'].map(locale => place.geog_id
  ? api.get('profiles/' + encodeURIComponent(place.geog_id), {locale})
  : api.get('profiles', {lat: place.lat, lng: place.lng, locale})));

// show writes the profile of a geography, or of the smallest one around the point that has one, into an element.
export async function show(element, place, context) {
  const {language, t} = context;
  element.append(el('h3', {}, t('panel.profile')));
  const other = language === 'fr' ? 'en' : 'fr';
  const [own, second] = await ask(place, context);
  if (!own) return element.append(el('p', {class: 'missing'}, t('profile.none')));
  element.append(article(own, spoken(own, second, language), t));
  // About a place in the United States both answers have the same texts, in English.
  if (second.data.intro === own.data.intro) element.append(el('p', {class: 'small'}, t('profile.english_only')));
  else element.append(el('details', {lang: other}, el('summary', {}, t('profile.other', {language: other === 'fr' ? 'français' : 'English'})), article(second, other, t)));
}

// spoken is the language of the texts of an answer: English where the other answer has the same ones.
const spoken = (own, second, language) => second.data.intro === own.data.intro ? 'en' : language;

function article({data, meta}, language, t) {
  const sections = Object.entries(meta.sections).map(([id, title]) => ({title, texts: paragraphs(data.profiles[id] ?? '')}));
  const empty = sections.filter(section => !section.texts.length).map(section => section.title);
  const rows = [{label: '', text: paragraphs(data.intro).join(' ')}, ...sections.filter(one => one.texts.length).map(({title, texts}) => ({label: title, text: texts.join(' ')}))];
  return keep(el('article', {class: 'profile', lang: language},
    el('h4', {}, data.name),
    paragraphs(data.intro).map(text => el('p', {}, text)),
    sections.filter(section => section.texts.length).map(({title, texts}) => [el('h5', {}, title), ...texts.map(text => el('p', {}, text))]).flat(),
    empty.length ? el('p', {class: 'small', lang: document.documentElement.lang}, t('profile.empty', {list: empty.join(', ')})) : null), {section: data.name, rows});
}
