// Words of the components, in both languages. {…} is filled in.

export const words = {
  en: {
    title: 'Location scores', loading: 'The scores are loading.', loaded: 'The scores are there.', of: 'out of 5', unknown: 'not known',
    date: 'Data of {date}', others: '{first} and {count} more', again: 'Try again',
    place: 'This place cannot be shown: its latitude and longitude are missing or wrong.',
    key: 'This cannot be shown: the page has no key.',
    refused: 'This cannot be shown: the key is not valid on this page.',
    none: 'Nothing is known of this place.',
    choice: 'There is no score of these names.',
    busy: 'Many ask at this moment. Trying again in {seconds} s.',
    server: 'This cannot be shown at the moment.',
    network: 'The scores cannot be reached at the moment.',
    map: 'Map', open: 'Show the map', opening: 'The map is loading.', opened: 'The map is there.', here: 'The place', in: 'Zoom in', out: 'Zoom out',
    no_webgl: 'This browser cannot draw the map.', no_map: 'There is no map here.',
    wheel: 'Use Ctrl and the wheel to zoom the map', wheel_mac: 'Use ⌘ and the wheel to zoom the map', fingers: 'Move the map with two fingers',
  },
  fr: {
    title: 'Cotes du lieu', loading: 'Les cotes arrivent.', loaded: 'Les cotes sont là.', of: 'sur 5', unknown: 'non connue',
    date: 'Données du {date}', others: '{first} et {count} de plus', again: 'Réessayer',
    place: 'Ce lieu ne peut pas être affiché : sa latitude et sa longitude manquent ou sont erronées.',
    key: 'Affichage impossible : la page n’a pas de clé.',
    refused: 'Affichage impossible : la clé n’est pas valide sur cette page.',
    none: 'On ne sait rien de ce lieu.',
    choice: 'Aucune cote ne porte ces noms.',
    busy: 'Les demandes sont nombreuses en ce moment. Nouvel essai dans {seconds} s.',
    server: 'Affichage impossible pour le moment.',
    network: 'Les cotes ne peuvent pas être obtenues pour le moment.',
    map: 'Carte', open: 'Afficher la carte', opening: 'La carte arrive.', opened: 'La carte est là.', here: 'Le lieu', in: 'Agrandir', out: 'Réduire',
    no_webgl: 'Ce navigateur ne peut pas dessiner la carte.', no_map: 'Il n’y a pas de carte ici.',
    wheel: 'Ctrl et la molette agrandissent la carte', wheel_mac: '⌘ et la molette agrandissent la carte', fingers: 'Déplacez la carte avec deux doigts',
  },
};

// filled is a text with its {…} filled in.
export const filled = (text, values) => text.replace(/{(\w+)}/g, (_, name) => values[name]);

// dated is a day, YYYY-MM-DD, as people write it; the first of a month is an ordinal in French.
export function dated(iso, language) {
  const day = new Date(String(iso).slice(0, 10) + 'T00:00:00Z');
  if (isNaN(day)) return '';
  const text = new Intl.DateTimeFormat(language + '-CA', {dateStyle: 'long', timeZone: 'UTC'}).format(day);
  return language === 'fr' ? text.replace(/^1(?=\s)/, '1er') : text;
}
