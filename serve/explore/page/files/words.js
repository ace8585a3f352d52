// The words of the page in English and in Canadian French. Nothing on the page is written elsewhere, except what the API
// answers: its names, labels and texts come in the language that was asked for.
//
// A value is inserted for {name}. A word with the forms one and other takes the form of the number in values.count, by the
// rules of the language (in French 0 is singular). Spaces that a French line does not break at are made by spaced, so that the
// texts here have ordinary ones.

// words has the texts by key, in the order of the alphabet.
export const words = {
  'amount': { en: 'Amount', fr: 'Montant' },
  'area.below': { en: 'smallest area', fr: 'le plus petit secteur' },
  'change.about': { en: 'From the release of {before} to that of {after}.', fr: 'De la version du {before} à celle du {after}.' },
  'change.after': { en: 'After', fr: 'Après' },
  'change.before': { en: 'Before', fr: 'Avant' },
  'change.beyond': { en: { one: '{count} more group of geographies changed and is not listed.', other: '{count} more groups of geographies changed and are not listed.' }, fr: { one: '{count} autre groupe de territoires a changé et n’est pas dans la liste.', other: '{count} autres groupes de territoires ont changé et ne sont pas dans la liste.' } },
  'change.came': { en: { one: '{count} came', other: '{count} came' }, fr: { one: '{count} est apparu', other: '{count} sont apparus' } },
  'change.kind.kept': { en: 'Unchanged', fr: 'Inchangés' },
  'change.kind.level': { en: 'Became another level', fr: 'Changement de niveau' },
  'change.kind.lost': { en: 'Not in the new data', fr: 'Absent des nouvelles données' },
  'change.kind.merge': { en: 'Merged', fr: 'Fusion' },
  'change.kind.new': { en: 'New', fr: 'Nouveau' },
  'change.kind.redrawn': { en: 'Redrawn', fr: 'Limites redessinées' },
  'change.kind.retired': { en: 'Without successor', fr: 'Sans successeur' },
  'change.kind.reversion': { en: 'Slightly redrawn', fr: 'Limites légèrement modifiées' },
  'change.kind.split': { en: 'Split', fr: 'Division' },
  'change.level': { en: 'Level', fr: 'Niveau' },
  'change.levels': { en: 'Geographies by level', fr: 'Territoires par niveau' },
  'change.moved': { en: 'Scores that moved the most', fr: 'Notes qui ont le plus bougé' },
  'change.none': { en: 'Nothing changed.', fr: 'Rien n’a changé.' },
  'change.off': { en: 'No other release is compared with this one. Start the server with --explore-against and the folder of the older release.', fr: 'Aucune autre version n’est comparée à celle-ci. Démarrez le serveur avec --explore-against et le dossier de la version précédente.' },
  'change.outlines': { en: 'Outlines that changed', fr: 'Limites qui ont changé' },
  'change.outlines.none': { en: 'No outline changed.', fr: 'Aucune limite n’a changé.' },
  'change.reason': { en: 'Why', fr: 'Pourquoi' },
  'change.reason.other': { en: 'It is made of streets, traffic, land or people, not of places.', fr: 'Elle dépend des rues, de la circulation, du terrain ou de la population, et non de lieux.' },
  'change.reason.streets': { en: 'No place of its kinds came or went within 1 km: its streets, homes or outline did.', fr: 'Aucun lieu de ses catégories n’est apparu ni disparu à moins de 1 km : ce sont ses rues, ses logements ou ses limites qui ont changé.' },
  'change.score': { en: 'Score', fr: 'Note' },
  'change.scores.none': { en: 'No score moved.', fr: 'Aucune note n’a bougé.' },
  'change.show': { en: 'Show {name} on the map', fr: 'Montrer {name} sur la carte' },
  'change.show.short': { en: 'Show', fr: 'Montrer' },
  'change.successor': { en: 'Now', fr: 'Maintenant' },
  'change.successor.none': { en: 'no successor', fr: 'aucun successeur' },
  'change.title': { en: 'What changed', fr: 'Ce qui a changé' },
  'change.went': { en: { one: '{count} went', other: '{count} went' }, fr: { one: '{count} est disparu', other: '{count} sont disparus' } },
  'chart.axis': { en: 'The bars end at {max}.', fr: 'Les barres vont jusqu’à {max}.' },
  'chart.gap': { en: 'Hatched: no figure', fr: 'Hachuré : aucune donnée' },
  'chart.high': { en: 'highest {value} ({label})', fr: 'maximum {value} ({label})' },
  'chart.last': { en: 'latest {value} ({label})', fr: 'dernier {value} ({label})' },
  'chart.low': { en: 'lowest {value} ({label})', fr: 'minimum {value} ({label})' },
  'chart.none': { en: 'No figure to draw.', fr: 'Aucune donnée à tracer.' },
  'chart.quartiles': { en: 'Lines: from a quarter to three quarters of the sales', fr: 'Traits : du premier au troisième quartile' },
  'chart.table': { en: 'As a table', fr: 'Sous forme de tableau' },
  'chart.whiskers': { en: 'Lines with ends: interval at {level}', fr: 'Traits à embouts : intervalle à {level}' },
  'compare.difference': { en: 'Difference', fr: 'Écart' },
  'compare.first': { en: 'First place', fr: 'Premier lieu' },
  'compare.higher': { en: '{name}: higher', fr: '{name} : plus élevé' },
  'compare.larger': { en: '{name}: larger share', fr: '{name} : plus grande part' },
  'compare.money': { en: 'Amounts of the two countries are in their own dollars and are not compared.', fr: 'Les montants des deux pays sont dans leurs propres dollars et ne sont pas comparés.' },
  'compare.more': { en: '{name}: more', fr: '{name} : plus' },
  'compare.none': { en: 'Choose a second place to compare.', fr: 'Choisissez un deuxième lieu à comparer.' },
  'compare.overlap': { en: 'no clear difference', fr: 'aucun écart net' },
  'compare.rule': { en: 'A difference is put in words only where the intervals of the two places, at {level}, do not overlap.', fr: 'Un écart est nommé seulement si les intervalles des deux lieux, à {level}, ne se chevauchent pas.' },
  'compare.second': { en: 'Second place', fr: 'Deuxième lieu' },
  'compare.title': { en: 'Two places side by side', fr: 'Deux lieux côte à côte' },
  'compare.unknown': { en: 'margin of error not known', fr: 'marge d’erreur inconnue' },
  'count': { en: 'Number', fr: 'Nombre' },
  'demographics.around': { en: { one: 'Within {count} metre of the point', other: 'Within {count} metres of the point' }, fr: { one: 'À moins de {count} mètre du point', other: 'À moins de {count} mètres du point' } },
  'demographics.around.note': { en: 'Around a point no margins of error are given.', fr: 'Autour d’un point, aucune marge d’erreur n’est donnée.' },
  'demographics.base': { en: 'Of {label}: {value}', fr: 'Sur {label} : {value}' },
  'demographics.coverage': { en: 'Areas with statistics cover {share} of the ground; the figures are of that part.', fr: 'Les secteurs qui ont des statistiques couvrent {share} du territoire ; les données sont celles de cette partie.' },
  'demographics.group.education': { en: 'Education', fr: 'Scolarité' },
  'demographics.group.households': { en: 'Households', fr: 'Ménages' },
  'demographics.group.housing': { en: 'Housing', fr: 'Logement' },
  'demographics.group.income': { en: 'Income', fr: 'Revenu' },
  'demographics.group.other': { en: 'Other', fr: 'Autres' },
  'demographics.group.people': { en: 'People', fr: 'Population' },
  'demographics.group.work': { en: 'Work and commute', fr: 'Travail et déplacements' },
  'demographics.missing': { en: 'Not known here: {list}.', fr: 'Données non disponibles ici : {list}.' },
  'demographics.none': { en: 'No demographics are known here.', fr: 'Aucune donnée démographique n’est connue ici.' },
  'demographics.of': { en: 'Figures of', fr: 'Données de' },
  'demographics.partial': { en: 'The shares that are known add up to {share}; the rest is not known.', fr: 'Les parts connues totalisent {share} ; le reste n’est pas connu.' },
  'demographics.source': { en: 'Census or survey of {vintage}.', fr: 'Recensement ou enquête de {vintage}.' },
  'demographics.title': { en: 'Demographics', fr: 'Démographie' },
  'demographics.uncertain': { en: { one: '{count} figure without a known margin of error', other: '{count} figures without a known margin of error' }, fr: { one: '{count} valeur sans marge d’erreur connue', other: '{count} valeurs sans marge d’erreur connue' } },
  'demographics.whiskers': { en: 'The lines with ends, and the small figures, are intervals that have the true value {level} of the time.', fr: 'Les traits à embouts et les petits chiffres sont des intervalles qui contiennent la vraie valeur {level} du temps.' },
  'interval': { en: '{low} to {high}', fr: '{low} à {high}' },
  'market.about': { en: 'Listings of {type}, as of {date}.', fr: '{type} : inscriptions en date du {date}.' },
  'market.absorption': { en: 'Sold, of the listings of the interval', fr: 'Vendues, parmi les inscriptions de la période' },
  'market.active': { en: 'For sale at the end of the interval', fr: 'À vendre à la fin de la période' },
  'market.asking': { en: 'Median asking price', fr: 'Prix demandé médian' },
  'market.assessment': { en: 'Market', fr: 'Marché' },
  'market.assessment.buyers_market': { en: 'favours buyers', fr: 'favorable aux acheteurs' },
  'market.assessment.neutral_market': { en: 'balanced', fr: 'équilibré' },
  'market.assessment.sellers_market': { en: 'favours sellers', fr: 'favorable aux vendeurs' },
  'market.counts': { en: 'Of this type there are counts alone.', fr: 'Pour ce type, seuls des nombres sont connus.' },
  'market.days': { en: 'Median days from listing to closing', fr: 'Délai de vente médian, en jours' },
  'market.difference': { en: 'Sale price less asking price, median', fr: 'Écart médian entre le prix de vente et le prix demandé' },
  'market.interval': { en: 'Interval', fr: 'Période' },
  'market.kind.months': { en: 'Months', fr: 'Mois' },
  'market.kind.quarters': { en: 'Quarters', fr: 'Trimestres' },
  'market.kind.rolling': { en: 'Days before {date}', fr: 'Jours avant le {date}' },
  'market.kinds': { en: 'Intervals', fr: 'Périodes' },
  'market.latest': { en: 'Latest: {period}', fr: 'Dernière période : {period}' },
  'market.missing': { en: { one: 'No detailed figures for {list}: nothing was for sale at its end, or nothing was sold in it. It is not drawn.', other: 'No detailed figures for {list}: nothing was for sale at their end, or nothing was sold in them. They are not drawn.' }, fr: { one: 'Aucune donnée détaillée pour {list} : rien n’était à vendre à la fin de cette période, ou rien n’y a été vendu. Elle n’est pas tracée.', other: 'Aucune donnée détaillée pour {list} : rien n’était à vendre à la fin de ces périodes, ou rien n’y a été vendu. Elles ne sont pas tracées.' } },
  'market.new': { en: 'New listings', fr: 'Nouvelles inscriptions' },
  'market.none': { en: 'No market statistics here: they are of American states of which the release has listings.', fr: 'Aucune statistique de marché ici : elles portent sur les États américains dont la version contient des inscriptions.' },
  'market.of': { en: 'Market of', fr: 'Marché de' },
  'market.price': { en: 'Median sale price', fr: 'Prix de vente médian' },
  'market.quarter': { en: 'Q{quarter} {year}', fr: 'T{quarter} {year}' },
  'market.quiet': { en: 'Nothing was listed or sold in these intervals.', fr: 'Rien n’a été inscrit ni vendu dans ces périodes.' },
  'market.rolling.120d': { en: 'last 120 days', fr: '120 derniers jours' },
  'market.rolling.12m': { en: 'last 12 months', fr: '12 derniers mois' },
  'market.rolling.13-24m': { en: '12 months before', fr: '12 mois précédents' },
  'market.rolling.30d': { en: 'last 30 days', fr: '30 derniers jours' },
  'market.rolling.31-60d': { en: '30 days before', fr: '30 jours précédents' },
  'market.rolling.60d': { en: 'last 60 days', fr: '60 derniers jours' },
  'market.rolling.90d': { en: 'last 90 days', fr: '90 derniers jours' },
  'market.sold': { en: 'Homes sold', fr: 'Propriétés vendues' },
  'market.title': { en: 'Market', fr: 'Marché immobilier' },
  'market.type': { en: 'Type of property', fr: 'Type de propriété' },
  'market.type.all_residential_properties': { en: 'All homes', fr: 'Toutes les résidences' },
  'market.type.commercial': { en: 'Commercial', fr: 'Commercial' },
  'market.type.condo_townhome': { en: 'Condos and townhouses', fr: 'Copropriétés et maisons en rangée' },
  'market.type.multi_family_5_plus_units': { en: 'Buildings of five homes or more', fr: 'Immeubles de cinq logements ou plus' },
  'market.type.multi_family_under_5_units': { en: 'Buildings of two to four homes', fr: 'Immeubles de deux à quatre logements' },
  'market.type.other_and_unclassified': { en: 'Other and unclassified', fr: 'Autres et non classés' },
  'market.type.residential_income_properties': { en: 'Rental buildings', fr: 'Immeubles à revenus' },
  'market.type.single_family': { en: 'Single-family houses', fr: 'Maisons unifamiliales' },
  'market.type.vacant_land': { en: 'Vacant land', fr: 'Terrains vacants' },
  'missing': { en: 'not known', fr: 'inconnu' },
  'score.missing': { en: 'not known here', fr: 'inconnue ici' },
  'score.of': { en: '{value} of 5', fr: '{value} sur 5' },
  'scores.title': { en: 'Scores', fr: 'Notes' },
  'share': { en: 'Share', fr: 'Part' },
  'value': { en: 'Value', fr: 'Valeur' },
};

const noBreak = '\u00a0', narrow = '\u202f';

// spaced puts the spaces that a line does not break at into a French text: before : % $ » and after «, a narrow one before ; ? !,
// and between a number and its unit.
export function spaced(text) {
  return text.replace(/ (?=[:%$»])/g, noBreak).replace(/« /g, '«' + noBreak).replace(/ (?=[;?!])/g, narrow)
    .replace(/([\d}]) (?=(?:m|km|min|ans|jours|mois)(?!\p{L}))/gu, '$1' + noBreak);
}

// translator returns t(key, values) for a language, 'en' or 'fr'. An unknown key is an error of the page: it is thrown.
export function translator(language) {
  const plural = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language === 'fr' ? 'fr-CA' : 'en-CA');
  return (key, values = {}) => {
    let text = words[key]?.[language];
    if (text === undefined) throw new Error(`the page has no word ${key} in ${language}`);
    if (typeof text === 'object') text = text[plural.select(values.count)];
    if (language === 'fr') text = spaced(text);
    return text.replace(/\{(\w+)\}/g, (_, name) => {
      const value = values[name];
      if (value === undefined) throw new Error(`the word ${key} needs ${name}`);
      return typeof value === 'number' ? numbers.format(value) : value;
    });
  };
}

// list joins items: a, b and c; a, b et c.
export const list = (language, items) => new Intl.ListFormat(language === 'fr' ? 'fr-CA' : 'en-CA', { type: 'conjunction' }).format(items);
