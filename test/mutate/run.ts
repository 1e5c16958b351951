import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { readChosen } from './chosen.ts'
import { openCompiler } from './compiles.ts'
import { copyProject } from './copy.ts'
import { likeliestTests } from './likeliest.ts'
import { type Mutation, mutationsOf, roomOf } from './mutations.ts'
import { byRoom, describe, type Result, summary, writeReport } from './report.ts'
import { isNoticed, type Notice, openTests, type Tests } from './run-tests.ts'
import { type Seen, whatTestsSee } from './seen.ts'

/**
 * `npm run mutate` puts one bug at a time into a copy of the project, and reports whether the tests fail. `--count` is
 * the number of random bugs, and `--seed` selects the random bugs. `--room` allows only bugs in one room (see
 * `roomOf`), and `--changed` only bugs in files that have changed since main. `--map` runs the suite to learn which
 * tests run which function. `--guess` uses the likeliest tests instead of the tests in the map. `--list` only prints
 * the bugs. `--chosen` tries the bugs of test/mutate/chosen instead of random bugs; `--only` selects chosen bugs by a
 * pattern for the file and title.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    room: { type: 'string' },
    changed: { type: 'boolean', default: false },
    map: { type: 'boolean', default: false },
    guess: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    chosen: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
})

const mapFile = 'node_modules/.cache/animal-store/functions-seen.json'

const sources = globSync(['src/**/*.{ts,tsx}', 'clients/typescript/src/**/*.ts', 'prisma/**/*.{ts,sql}'])
  .filter(file => !file.includes('generated'))
  .sort()
// Browsers and PostgreSQL cannot record which functions were run.
const observable = sources.filter(file => !/^src\/(dashboard|studio\/page)\/|^clients\/|\.sql$/.test(file))
if (values.chosen) await tryChosen()
else await tryDrawn()

async function tryDrawn(): Promise<void> {
  const drawn = draw()
  console.log(`${drawn.length} bugs, seed ${values.seed}`)
  if (values.list) return list(drawn)
  await inCopy(async copy => {
    const seen = values.guess ? null : await readMap(copy)
    const testsOf = (mutation: Mutation) =>
      seen && observable.includes(mutation.file) ? testsFor(mutation, seen) : likeliestTests(mutation)
    const results = await tryAll(drawn, mutation => isNoticed(copy, mutation, testsOf(mutation), 2))
    if (!values.room && !values.changed)
      writeReport(results, { commit: commit(), command: command(), isListed: openLists() })
  })
}

async function tryChosen(): Promise<void> {
  const only = new RegExp(values.only)
  const { bugs, outdated } = readChosen()
  for (const line of outdated) console.log(`OUTDATED  ${line}`)
  const all = bugs.filter(
    ({ mutation }) =>
      (!values.room || roomOf(mutation) === values.room) &&
      only.test(`${mutation.file} ${describe(mutation)}`),
  )
  const tests = new Map(all.map(({ mutation, tests }) => [mutation, tests]))
  if (values.list) return list([...tests.keys()])
  await inCopy(copy =>
    // Run the first test in a bug's list alone before the other tests, because the first test is the likeliest to fail.
    tryAll([...tests.keys()], mutation => isNoticed(copy, mutation, tests.get(mutation) ?? [], 1)),
  )
}

function list(mutations: Mutation[]): void {
  for (const one of mutations) console.log(`${one.file}:${one.line} ${describe(one)}`)
}

type Copy = { folder: string; tests: Tests }

async function inCopy(work: (copy: Copy) => Promise<unknown>): Promise<void> {
  const { folder, remove } = copyProject()
  const tests = await openTests(folder)
  try {
    await work({ folder, tests })
  } finally {
    await tests.close()
    remove()
  }
}

async function tryAll(
  mutations: Mutation[],
  play: (mutation: Mutation) => Promise<Notice>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const mutation of mutations) {
    const { noticed, by } = await play(mutation)
    results.push({ mutation, noticed })
    const where = `${mutation.file}:${mutation.line} ${describe(mutation)}`
    console.log(noticed ? `noticed   ${where}; by ${by ?? 'a run that did not end'}` : `UNNOTICED ${where}`)
  }
  for (const [room, noticed, of] of byRoom(results)) console.log(`${room}: ${noticed} of ${of}`)
  console.log(summary(results))
  return results
}

/** Draws at most one bug from each function, so that a long function does not crowd out the others. */
function draw(): Mutation[] {
  const random = numbersFrom(Number(values.seed))
  const files = values.changed ? sources.filter(file => changedFiles().includes(file)) : sources
  const all = files
    .flatMap(file => mutationsOf(file, readFileSync(file, 'utf8')))
    .filter(mutation => !values.room || roomOf(mutation) === values.room)
    .map(mutation => ({ mutation, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
  const compiles = openCompiler()
  const functions = new Set<string>()
  const result: Mutation[] = []
  for (const { mutation } of all) {
    const place = `${mutation.file} ${mutation.inFunction}`
    if (result.length >= Number(values.count)) break
    if (functions.has(place) || !compiles(mutation)) continue
    functions.add(place)
    result.push(mutation)
  }
  return result
}

async function readMap({ folder, tests }: Copy): Promise<Seen> {
  if (!values.map && existsSync(mapFile)) return JSON.parse(readFileSync(mapFile, 'utf8'))
  const seen = await whatTestsSee(folder, tests, observable)
  mkdirSync(dirname(mapFile), { recursive: true })
  writeFileSync(mapFile, JSON.stringify(seen))
  return seen
}

/**
 * Returns the tests that ran the function of a bug. If no test ran the function, returns the tests that ran the
 * function's file. Also returns the tests in the folder of the function's room (see `roomOf`) that are missing in the
 * map.
 */
function testsFor(mutation: Mutation, seen: Seen): string[] {
  const known = Object.entries(seen)
  const ofFunction = known.filter(([, { functions }]) =>
    functions.includes(`${mutation.file} ${mutation.inFunction}`),
  )
  const ofFile = known.filter(([, { functions }]) =>
    functions.some(name => name.startsWith(`${mutation.file} `)),
  )
  const quickestFirst = (ofFunction.length > 0 ? ofFunction : ofFile)
    .sort(([, a], [, b]) => a.seconds - b.seconds)
    .map(([test]) => test)
  const fresh = globSync(`test/${roomOf(mutation)}/**/*.test.ts`).filter(test => !(test in seen))
  return [...quickestFirst, ...fresh]
}

// Function declarations, because the code above calls them before these lines run.
function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim()
}

function openLists(): (mutation: Mutation) => boolean {
  const listed = readChosen().bugs.map(({ mutation }) => mutation)
  return ({ file, start, end }) => listed.some(bug => bug.file === file && bug.start < end && start < bug.end)
}

function changedFiles(): string[] {
  return git('diff', '--name-only', 'main').split('\n')
}

function commit(): string {
  return git('rev-parse', '--short', 'HEAD')
}

function command(): string {
  return ['npm run mutate --', ...process.argv.slice(2)].join(' ')
}

/** Mulberry32, a small generator that is the same on every machine. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
