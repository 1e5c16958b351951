import type { Credential } from '../../../app/credential.ts'
import { askRest } from '../../../app/rest.ts'
import type { Look } from './look-at-file.ts'

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' }
const patienceMs = 60_000

export type Imported = { imported: number; lastId: string | undefined }

/** Sends the file compressed, because the upload must finish within ten seconds even on a slow line. */
export async function sendImport(
  key: Credential,
  { bytes, format, idempotencyKey }: Look,
): Promise<Imported> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))
  const answer = await askRest(key, '/v1/pets/import', {
    method: 'POST',
    body: await new Response(packed).blob(),
    headers: {
      'Content-Type': types[format],
      'Content-Encoding': 'gzip',
      'Idempotency-Key': `"${idempotencyKey}"`,
    },
    signal: AbortSignal.timeout(patienceMs),
  })
  const text = await answer.text()
  // An id may not fit a double, so read it from the text.
  return { imported: JSON.parse(text).imported, lastId: /"lastId":(\d+)/.exec(text)?.[1] }
}
