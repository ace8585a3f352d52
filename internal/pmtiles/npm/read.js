// Prints the header, the metadata and tiles of a PMTiles archive as lines of JSON:
//
//   node read.js FILE < LIST     LIST has a line "z x y" for each tile; its bytes come as text in base64, null: none
//   node read.js --layers FILE   the same with the layers of vector tiles and their features in place of bytes
//
// FILE may be a URL, which is read by requests for ranges of bytes.
import { openSync, fstatSync, readSync, readFileSync } from 'node:fs'
import { FetchSource, PMTiles } from 'pmtiles'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'

const layers = process.argv[2] === '--layers'
const path = process.argv[layers ? 3 : 2]
const local = path => {
  const file = openSync(path)
  const size = fstatSync(file).size
  return {
    getKey: () => path,
    getBytes: async (offset, length) => {
      const data = new Uint8Array(Math.max(0, Math.min(length, size - offset)))
      readSync(file, data, 0, data.length, offset)
      return { data: data.buffer }
    },
  }
}
const source = path.startsWith('http') ? new FetchSource(path) : local(path)
const archive = new PMTiles(source)
console.log(JSON.stringify({ header: await archive.getHeader(), metadata: await archive.getMetadata() }))
for (const line of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const [z, x, y] = line.split(' ').map(Number)
  const tile = await archive.getZxy(z, x, y)
  let content = null
  if (tile && layers) {
    content = Object.values(new VectorTile(new PbfReader(new Uint8Array(tile.data))).layers).map((layer) => ({
      name: layer.name, version: layer.version, extent: layer.extent,
      features: Array.from({ length: layer.length }, (_, i) => layer.feature(i)).map((f) => ({
        id: f.id, type: f.type, properties: f.properties, geometry: f.loadGeometry().map((ring) => ring.map((p) => [p.x, p.y])),
      })),
    }))
  } else if (tile) {
    content = Buffer.from(tile.data).toString('base64')
  }
  console.log(JSON.stringify({ z, x, y, content }))
}
