// What the search suggests for what was typed. Pure functions.

// coordinates reads a typed pair of degrees, latitude first: "45.0341, -72.6168", "45,0341; -72,6168", "45.0341 N 72.6168 W".
// null where it is none or outside of the globe.
export function coordinates(text) {
  const french = /^\s*-?\d+,\d+\s*[;\s]\s*-?\d+,\d+\s*$/.test(text);
  const plain = french ? text.replace(/,/g, '.') : text;
  const match = /^\s*(-?\d{1,3}(?:\.\d+)?)\s*°?\s*([NS])?\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*°?\s*([EWO])?\s*$/i.exec(plain);
  if (!match) return null;
  const lat = Number(match[1]) * (/s/i.test(match[2] ?? '') ? -1 : 1);
  const lng = Number(match[3]) * (/[wo]/i.test(match[4] ?? '') ? -1 : 1);
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? {lat, lng} : null;
}

// groups arranges what /explore/search found by kind, each kind where its best is, so that the first of all stays the first:
// [{kind, items}], an item {kind, name, type, where, target}. target is what the page selects.
export function groups(found) {
  const byKind = new Map();
  for (const one of found) {
    const kind = one.kind === 'postal_area' && byKind.has('geography') ? 'geography' : one.kind;
    if (!byKind.has(kind)) byKind.set(kind, []);
    byKind.get(kind).push({kind, name: one.name, type: one.type ?? '', where: one.within, target: target(one)});
  }
  return [...byKind].map(([kind, items]) => ({kind, items}));
}

// target of a place is its id, of what has none its point, with the name of a point of interest, of an address or of a region.
function target({kind, id, lat, lng, name}) {
  if (kind === 'geography' || kind === 'postal_area') return {geog_id: id};
  if (kind === 'poi' || kind === 'address') return {lat, lng, name};
  return kind === 'region' ? {lat, lng, region: id} : {lat, lng};
}

// viewOf is the middle of the map for a search, coarse, so that a small move asks nothing again; {} without a map.
export function viewOf(map) {
  if (!map) return {};
  return {lat: map.lat.toFixed(2), lng: map.lng.toFixed(2), zoom: Math.round(map.zoom)};
}

// marked divides a name into parts {text, typed}, of which typed ones are what was typed, regardless of case and accents, so that
// they can be drawn bold: all of it, else each of its words that begins a word. It is one part where there is no such word.
export function marked(name, typed) {
  const plain = fold(name);
  if (plain.length !== name.length) return [{text: name, typed: false}];
  const bold = new Array(name.length).fill(false);
  const mark = (text, at) => { if (text && at >= 0) bold.fill(true, at, at + text.length); };
  const whole = fold(typed.trim());
  if (plain.includes(whole)) mark(whole, plain.indexOf(whole));
  else for (const word of whole.split(/[^\p{L}\p{N}]+/u)) mark(word, beginOf(plain, word));
  const parts = [];
  for (let i = 0; i < name.length; i++) {
    if (!parts.length || parts.at(-1).typed !== bold[i]) parts.push({text: '', typed: bold[i]});
    parts.at(-1).text += name[i];
  }
  return parts.length ? parts : [{text: name, typed: false}];
}

// beginOf is where a word of a text begins with another; −1: nowhere.
function beginOf(text, word) {
  for (let at = text.indexOf(word); word && at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1])) return at;
  }
  return -1;
}

// same reports whether a name is what was typed, regardless of case and accents.
export const same = (name, typed) => fold(name) === fold(typed.trim());

// begins reports whether a name is the first words of what was typed, as a street with its number is of a whole address.
export const begins = (name, typed) => same(name, typed) || fold(typed.trim()).startsWith(fold(name)) && /^[\s,]/.test(fold(typed.trim()).slice(fold(name).length));

const fold = text => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
