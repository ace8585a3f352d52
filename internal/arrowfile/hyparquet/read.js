// Prints the metadata and the rows of a Parquet file as lines of JSON: node read.js FILE
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

const file = await asyncBufferFromFile(process.argv[2])
const metadata = await parquetMetadataAsync(file)
const plain = (_, v) => typeof v === 'bigint' ? Number(v) : v
console.log(JSON.stringify({
  rows: metadata.num_rows, groups: metadata.row_groups.length,
  metadata: Object.fromEntries((metadata.key_value_metadata ?? []).map(({ key, value }) => [key, value])),
}, plain))
for (const row of await parquetReadObjects({ file, metadata, compressors })) {
  console.log(JSON.stringify(row, plain))
}
