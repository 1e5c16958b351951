import { lineInFile, type Part } from '../../../../../clients/typescript/src/split-import.ts'
import type { Credential } from '../../../app/credential.ts'
import { askRest, RestError } from '../../../app/rest.ts'
import type { Look } from './look-at-file.ts'

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' }
const timeoutMs = 60_000

export type Imported = { imported: number; lastId: string | undefined }

/**
 * Imports one part: all of its pets or none. Sends it compressed, because the upload must finish within ten seconds even
 * on a slow line.
 */
export async function sendPart(
  key: Credential,
  { format, idempotencyKey }: Look,
  part: Part,
  stop: AbortSignal,
): Promise<Imported> {
  const packed = new Blob([part.bytes]).stream().pipeThrough(new CompressionStream('gzip'))
  const answer = await askRest(key, '/v1/pets/import', {
    method: 'POST',
    body: await new Response(packed).blob(),
    headers: {
      'Content-Type': types[format],
      'Content-Encoding': 'gzip',
      'Idempotency-Key': `"${idempotencyKey}-${part.line}"`,
    },
    signal: AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]),
  }).catch(error => {
    throw error instanceof RestError ? error.withLines(line => lineInFile(part, line)) : error
  })
  const text = await answer.text()
  // An id may not fit a double, so read it from the text.
  return { imported: JSON.parse(text).imported, lastId: /"lastId":(\d+)/.exec(text)?.[1] }
}
