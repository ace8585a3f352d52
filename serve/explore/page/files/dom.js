// Elements, made from text alone: names with markup in them are shown as they are written.

// el makes an element. Members of attributes: class, dataset and on… (a listener) as the DOM has them, false, null and
// undefined left out, true without a value. Children are elements or texts; null ones are left out.
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'dataset') Object.assign(element.dataset, value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

// svg makes an element of a drawing.
export function svg(name, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// paragraphs returns the texts of HTML of which the API says that it is paragraphs and nothing else. It is parsed in a document
// of its own, in which nothing is loaded or run, and only its text is taken.
export function paragraphs(html) {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  return [...parsed.querySelectorAll('p')].map(p => p.textContent).filter(Boolean);
}
