// Classes of values for colours. Pure functions.

// rounded is a bound with so many significant digits, fewer where that is as exact as the values need.
const rounded = (x, digits) => Number(x.toPrecision(digits));

// quantiles returns the bounds between at most so many classes of about the same number of values, in ascending order: rounded to two
// digits, or to more where classes would be lost. Each bound begins a class; values that are equal are in one class.
export function quantiles(values, classes = 5) {
  const sorted = values.toSorted((a, b) => a - b);
  const exact = [];
  for (let i = 1; i < classes; i++) {
    const bound = sorted[Math.floor(i * sorted.length / classes)];
    if (bound > sorted[0] && bound !== exact.at(-1)) exact.push(bound);
  }
  for (let digits = 2; digits < 8; digits++) {
    const bounds = exact.map(x => rounded(x, digits)), count = counts(sorted, bounds);
    if (bounds.every((x, i) => i === 0 || x > bounds[i - 1]) && count.every(n => n > 0)) return bounds;
  }
  return exact;
}

// classOf is the class of a value by ascending bounds.
export const classOf = (value, bounds) => bounds.filter(bound => value >= bound).length;

// counts is how many values are in each class.
export function counts(values, bounds) {
  const all = Array(bounds.length + 1).fill(0);
  for (const value of values) all[classOf(value, bounds)]++;
  return all;
}
