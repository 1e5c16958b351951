// Measures the pets per second of imports and, for comparison, of COPYs by psql that insert the same rows.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { contestants } from './contestants.ts'
import { withClient } from './database.ts'
import type { Ground } from './ground.ts'
import { newPets } from './questions.ts'
import { type Running, startContestant } from './start-contestant.ts'

/** Pets per second in each round. `plainCopy` writes to tables without the store's triggers. */
export type ImportFound = { ours: number[]; copy: number[]; plainCopy: number[] }

const pets = 10_000
const timesARound = 5
const rounds = 5
const project = 1

export async function measureImport(ground: Ground): Promise<ImportFound> {
  const us = contestants.find(({ name }) => name === 'ours')
  if (!us) throw new Error('The store is not among the contestants.')
  const file = join(ground.folder, 'pets.csv')
  writeFileSync(file, newPets(pets).map(toCsv).join(''))
  const found: ImportFound = { ours: [], copy: [], plainCopy: [] }
  const contestant = await startContestant(us, ground)
  // The first round only warms up.
  for (let round = 0; round <= rounds; round++) {
    const seconds = {
      ours: await importPets(contestant, ground),
      copy: await copy(ground.databaseUrl, file),
      plainCopy: await copy(ground.othersUrl, file),
    }
    if (round === 0) await checkRows(ground)
    for (const [name, each] of Object.entries(seconds) as [keyof ImportFound, number[]][])
      if (round > 0) found[name].push(...each.map(seconds => pets / seconds))
  }
  await contestant.stop()
  return found
}

async function importPets(contestant: Running, ground: Ground): Promise<number[]> {
  const request = await contestant.dialect({ act: 'import', project, pets }, ground.keys)
  const { method, path, headers, body = '' } = request
  const seconds: number[] = []
  for (let n = 0; n < timesARound; n++) {
    const startedAt = performance.now()
    const answer = await fetch(`http://127.0.0.1:${contestant.port}${path}`, { method, headers, body })
    const text = await answer.text()
    seconds.push((performance.now() - startedAt) / 1000)
    if (answer.status !== 201) throw new Error(`An import was answered ${answer.status} ${text}`)
  }
  return seconds
}

/** Measures with psql's own clock, on the contestants' core. */
async function copy(databaseUrl: string, file: string): Promise<number[]> {
  const columns = 'project_id, name, category_id, status'
  const command = `\\copy pets (${columns}) from '${file}' with (format csv)`
  const psql = ['psql', '-X', '-v', 'ON_ERROR_STOP=1', '-d', databaseUrl, '-c', '\\timing on']
  const commands = Array.from({ length: timesARound }, () => ['-c', command]).flat()
  const { stdout } = await promisify(execFile)('taskset', ['-c', '0', ...psql, ...commands])
  return [...stdout.matchAll(/^Time: ([\d.]+) ms/gm)].map(([, ms]) => Number(ms) / 1000)
}

const toCsv = ({ name, categoryId, status }: ReturnType<typeof newPets>[number]) =>
  `${project},"${name.replaceAll('"', '""')}",${categoryId},${status ?? ''}\n`

/** Checks that the import and both COPYs inserted the same rows. */
async function checkRows(ground: Ground): Promise<void> {
  const rowsOf = (url: string, times: number) =>
    withClient(url, async client => {
      const { rows } = await client.query<{ row: string; count: string }>(
        `select count(*), name || ' ' || category_id || ' ' || coalesce(status::text, '') as row from pets
         where project_id = $1 and id > $2 and name like 'Rex, %' group by 2 order by 2`,
        [project, ground.size.pets],
      )
      return rows.map(({ row, count }) => `${row} ${Number(count) / times}`).join('\n')
    })
  const ours = await rowsOf(ground.databaseUrl, 2)
  if (ours !== (await rowsOf(ground.othersUrl, 1)))
    throw new Error('The import inserted other rows than COPY.')
}
