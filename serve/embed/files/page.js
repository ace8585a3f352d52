// The page about the components: a preview that follows the form, and the lines to copy.
import {scores} from './vocabulary.js';

const form = document.getElementById('form'), preview = document.getElementById('preview'), snippet = document.getElementById('snippet');
const invented = document.getElementById('invented'), copied = document.getElementById('copied');
const [src] = snippet.textContent.match(/\/embed\/v1\/[\w.-]+/), [integrity] = snippet.textContent.match(/sha384-[\w+/=]+/);
let language = 'en';

// example is an answer of figures that nobody has measured.
function example(language) {
  const location = {};
  scores.forEach(({id, texts, steps}, i) => {
    const value = (i * 17 + 38) % 50 / 10, text = texts[steps.findLastIndex(step => step <= value * 20)];
    if (id !== 'greenery') location[id] = {value: String(value), text: text[language]};
  });
  return {data: {location}};
}

function speak(to) {
  language = document.documentElement.lang = to;
  for (const one of document.querySelectorAll('[data-fr]')) {
    one.dataset.en ??= one.textContent;
    one.textContent = one.dataset[to];
  }
  for (const one of document.querySelectorAll('nav button')) one.setAttribute('aria-pressed', String(one.lang === to));
  for (const box of form.elements.scores) box.nextSibling.textContent = ' ' + scores.find(({id}) => id === box.value).name[to];
  document.title = document.querySelector('h1').textContent;
  copied.textContent = '';
}

const quoted = text => '"' + text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;') + '"';

// show shows the element that the form describes, and how it is written.
function show() {
  const values = Object.fromEntries(new FormData(form)), name = values.element, ofScores = name === 'quartier-scores';
  const chosen = new FormData(form).getAll('scores').join(',');
  const attributes = {lat: values.lat, lng: values.lng, lang: values.lang, theme: values.theme, ...ofScores && chosen ? {scores: chosen} : {}, key: values.key.trim()};
  let element = preview.firstElementChild;
  if (element?.localName !== name) preview.replaceChildren(element = document.createElement(name));
  for (const attribute of ['scores', ...Object.keys(attributes)]) {
    if (attributes[attribute]) element.setAttribute(attribute, attributes[attribute]);
    else element.removeAttribute(attribute);
  }
  if (ofScores) element.data = attributes.key ? null : example(values.lang);
  element.style.width = values.width + 'px';
  preview.className = values.theme;
  invented.hidden = !ofScores || attributes.key !== '';
  document.getElementById('chosen').hidden = !ofScores;
  const written = Object.entries({...attributes, key: attributes.key || 'KEY'}).map(([key, value]) => ' ' + key + '=' + quoted(value)).join('');
  snippet.textContent = `<script type="module" src="${location.origin + src}"\n  integrity="${integrity}" crossorigin="anonymous"></script>\n<${name}${written}></${name}>`;
  copied.textContent = '';
}

for (const {id} of scores) {
  const label = document.createElement('label'), box = document.createElement('input'), text = document.createElement('span');
  Object.assign(box, {type: 'checkbox', name: 'scores', value: id});
  label.append(box, text);
  document.getElementById('chosen').append(label);
}
for (const button of document.querySelectorAll('nav button')) {
  button.addEventListener('click', () => {
    speak(button.lang);
    form.elements.lang.value = button.lang;
    show();
  });
}
form.addEventListener('submit', event => event.preventDefault());
form.addEventListener('input', show);
document.getElementById('copy').addEventListener('click', async () => {
  const done = await navigator.clipboard?.writeText(snippet.textContent).then(() => true, () => false);
  if (!done) getSelection().selectAllChildren(snippet);
  copied.textContent = done ? {en: 'Copied.', fr: 'Copié.'}[language] : {en: 'Selected.', fr: 'Sélectionné.'}[language];
});
speak(/^fr/i.test(navigator.language) ? 'fr' : 'en');
form.elements.lang.value = language;
customElements.whenDefined('quartier-scores').then(show);
