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

// suggestions returns what to offer for found geographies, in their order: {geog_id, name, kind, within, known} in a language. kind is
// the type of the level, within names where it is, from near to far, without what repeats the name, so that places of one name
// differ; known is the geography itself.
export function suggestions(geographies, language) {
  return geographies.map(one => {
    const name = one.name[language];
    const within = [];
    for (const larger of [one.city, one.metro_area, one.sub_country, one.country]) {
      const text = larger?.[language];
      if (text && text !== name && !within.includes(text)) within.push(text);
    }
    return {geog_id: one.geog_id, name, kind: one.level_type?.[language] ?? '', within: within.slice(0, 3).join(', '), known: one};
  });
}

// marked divides a name into parts {text, typed}, of which typed ones are what was typed, regardless of case and accents, so that
// they can be drawn bold. It is one part where the name does not have it as it is typed.
export function marked(name, typed) {
  const plain = fold(name), wanted = fold(typed.trim());
  const at = wanted && plain.length === name.length ? plain.indexOf(wanted) : -1;
  if (at < 0) return [{text: name, typed: false}];
  const cut = [[0, at, false], [at, at + wanted.length, true], [at + wanted.length, name.length, false]];
  return cut.filter(([from, to]) => to > from).map(([from, to, is]) => ({text: name.slice(from, to), typed: is}));
}

const fold = text => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
