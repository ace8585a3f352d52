// Makes the fonts of cards from Inter: the letters of English, French and Spanish names, digits and the signs of the texts, without
// hints and ligatures. The .ttf is what pictures are drawn with, the .woff2 what stands in an SVG.
import { readFile, writeFile } from 'node:fs/promises'
import subset from 'subset-font'

const range = (from, to) => String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, i) => from + i))
const text = range(0x20, 0x7e) + range(0xa1, 0xff) + 'ŒœŸ–—‘’“”…'
const font = await readFile('node_modules/@fontsource/inter/files/inter-latin-500-normal.woff2')
for (const [name, targetFormat] of [['ttf', 'truetype'], ['woff2', 'woff2']]) {
  await writeFile(`inter.${name}`, await subset(font, text, { targetFormat, noLayoutClosure: true }))
}
