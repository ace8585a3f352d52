// Numbers, money, shares and dates as people write them: Canadian English, American English about the United States, and
// Canadian French. What is absent (undefined, null, NaN) has no form: callers say so in words.

const day = iso => new Date(iso.slice(0, 10) + 'T00:00:00Z');

// formats returns the forms of a language ('en', 'fr') about a country ('CA', 'US'; Canada if absent). Amounts are in the dollars of
// that country; named, they have its name in English too, for the two countries side by side (French always names American ones).
export function formats(language, country = 'CA', named = false) {
  return made[[language, country, named]] ??= make(language, country, named);
}

const made = {}; // making them takes longer than all that a panel writes with them

function make(language, country, named) {
  const locale = language === 'fr' ? 'fr-CA' : country === 'US' ? 'en-US' : 'en-CA';
  const currency = country === 'US' ? 'USD' : 'CAD';
  const abroad = language === 'en' && named ? (country === 'US' ? 'en-CA' : 'en-US') : locale;
  const number = (options, of = locale) => { const f = new Intl.NumberFormat(of, options); return x => f.format(x).replace('-', '−'); };
  const date = (options) => { const f = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }); return iso => f.format(day(iso)); };
  const long = date({ dateStyle: 'long' });
  return {
    language, country,
    count: number({ maximumFractionDigits: 0 }),
    decimal: number({ maximumFractionDigits: 1 }),
    ratio: number({ minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    score: number({ minimumFractionDigits: 1, maximumFractionDigits: 1 }),
    change: number({ minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: 'exceptZero' }),
    share: number({ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }),
    signedShare: number({ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: 'exceptZero' }),
    wholeShare: number({ style: 'percent', maximumFractionDigits: 0 }),
    money: number({ style: 'currency', currency, maximumFractionDigits: 0 }, abroad),
    shortMoney: number({ style: 'currency', currency, notation: 'compact', maximumSignificantDigits: 3 }),
    // The first of a month is an ordinal in French.
    date: iso => language === 'fr' ? long(iso).replace(/^1(?=\s)/, '1er') : long(iso),
    month: date({ month: 'long', year: 'numeric' }),
    shortMonth: date({ month: 'short', year: 'numeric' }),
    year: x => String(Math.round(x)),
  };
}

// known reports whether a number is there.
export const known = x => typeof x === 'number' && Number.isFinite(x);

// ceiling is the smallest of 1, 2, 2.5, 5 and their tens that is not below x: where an axis ends.
export function ceiling(x) {
  if (!(x > 0)) return 1;
  const ten = 10 ** Math.floor(Math.log10(x));
  return [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map(step => step * ten).find(end => end >= x * (1 - 1e-12));
}
