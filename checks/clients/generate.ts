import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createClient } from '@hey-api/openapi-ts'
import openapiTS, { astToString } from 'openapi-typescript'
import { generate as generateByOrval } from 'orval'

/** Writes the client of each generator into its own folder. */
export async function generateAll(contract: string, folder: string): Promise<void> {
  mkdirSync(`${folder}/openapi-typescript`, { recursive: true })
  const types = astToString(await openapiTS(readFileSync(contract, 'utf8')))
  writeFileSync(`${folder}/openapi-typescript/types.ts`, types)

  // orval generates two clients: one with defaults, and one with settings that make its numbers exact.
  for (const [name, override] of Object.entries(orvalOptions)) {
    await generateByOrval({
      input: { target: contract },
      output: { target: `${folder}/orval/${name}.ts`, client: 'fetch', mode: 'single', override },
    })
  }

  await createClient({
    input: contract,
    output: `${folder}/hey-api`,
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', ...heyApiOptions],
    logs: { level: 'silent' },
  })
}

const orvalOptions = {
  plain: {},
  exact: {
    useBigInt: true,
    mutator: {
      path: new URL('exact-fetch.ts', import.meta.url).pathname,
      name: 'exactFetch',
      extension: '.ts',
    },
  },
}

// The generated transformers do not convert the members of events. So they only choose the types here, and `toExact`
// converts all answers.
const heyApiOptions = [
  { name: '@hey-api/sdk', transformer: false },
  { name: '@hey-api/transformers', bigInt: true, dates: false },
] as const
