import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { prepareDemo } from '../../src/first-start.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { readCredentials } from '../../src/tools/credentials.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'

describe.skipIf(!canRace())('the demo project in the operator’s own database', () => {
  const own = prepareOwnDatabase()
  const prepare = (env: Record<string, string>, DATA_DIR: string) =>
    prepareDemo(readConfig({ DATABASE_URL: 'postgresql://db/x', DATA_DIR, ...env }), own.db, systemClock)

  it('the demo project is created only on request, only in an empty store, and without an operator key', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-demo-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))

    expect(await prepare({}, folder)).toBeNull()
    expect(readCredentials(folder)).toBeNull()
    const { id } = await own.makeProject()
    expect(await prepare({ SEED_DEMO: '1' }, folder)).toBeNull()
    expect(await own.db.project.count()).toBe(1)
    await own.db.project.delete({ where: { id } })
    const made = await prepare({ SEED_DEMO: '1', PORT: '4001' }, folder)

    expect(made).toEqual({
      ...{ url: 'http://localhost:4001', operatorKey: null, project: 'demo' },
      apiKey: expect.stringMatching(/^as_/),
    })
    const [key] = await own.db.apiKey.findMany()
    expect(key).toMatchObject({ name: 'Owner', prefix: made?.apiKey.slice(0, 11) })
    expect(await prepare({ SEED_DEMO: '1', PORT: '4002', OPERATOR_KEY: 'k'.repeat(32) }, folder)).toEqual({
      ...made,
      url: 'http://localhost:4002',
    })
    expect(readCredentials(folder)).toEqual({ ...made, url: 'http://localhost:4002' })
  })

  it('if the database does not know the API key in credentials.json, or the key has ended, a start with a demo writes a valid API key to the file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-demo-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const ofAnother = { operatorKey: null, project: 'demo', apiKey: 'as_of-another-database' }
    writeFileSync(join(folder, 'credentials.json'), JSON.stringify(ofAnother))

    const made = await prepare({ SEED_DEMO: '1' }, folder)

    expect(made?.apiKey).not.toBe(ofAnother.apiKey)
    expect(readCredentials(folder)?.apiKey).toBe(made?.apiKey)
    expect(await prepare({ SEED_DEMO: '1' }, folder)).toEqual(made)

    await own.db.apiKey.updateMany({ data: { revokedAt: new Date() } })
    const renewed = await prepare({ SEED_DEMO: '1' }, folder)

    expect(renewed?.apiKey).not.toBe(made?.apiKey)
    expect(readCredentials(folder)).toEqual(renewed)
    expect(await prepare({ SEED_DEMO: '1' }, folder)).toEqual(renewed)
  })

  it('a start with another port waits while another process writes the credentials file of the same folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-demo-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    await prepare({ SEED_DEMO: '1', PORT: '4001' }, folder)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>()
    const writing = own.ofAnotherProcess().$transaction(async tx => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('animal-store demo', 0))`
      lock()
      await released
    })
    await locked

    const starting = prepare({ SEED_DEMO: '1', PORT: '4002' }, folder)
    const isWaiting = async () =>
      own.db.$queryRaw`SELECT 1 AS one FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`
    await expect.poll(isWaiting).toEqual([{ one: 1 }])
    expect(readCredentials(folder)?.url).toBe('http://localhost:4001')

    release()
    await writing
    expect(await starting).toEqual(readCredentials(folder))
    expect(readCredentials(folder)?.url).toBe('http://localhost:4002')
  })

  it('a start with a demo is refused in one sentence if the keys of the demo cannot be stored', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-demo-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'file'), '')

    await expect(prepare({ SEED_DEMO: '1' }, join(folder, 'file/data'))).rejects.toThrow(
      `DATA_DIR ${join(folder, 'file/data')} cannot be used: it is a file, not a folder.`,
    )
  })
})

describe.skipIf(!canRace())('concurrent starts on an empty database', () => {
  const own = prepareOwnDatabase()

  it('processes that start at once create one demo project, and each gets a key of its own', async () => {
    const folders = Array.from({ length: 5 }, () => mkdtempSync(join(tmpdir(), 'animal-store-demo-')))
    onTestFinished(() => {
      for (const folder of folders) rmSync(folder, { recursive: true })
    })
    const start = (DATA_DIR: string) => {
      const config = readConfig({ DATABASE_URL: 'postgresql://db/x', SEED_DEMO: '1', DATA_DIR })
      return prepareDemo(config, own.db, systemClock)
    }

    const made = await Promise.all(folders.map(start))

    expect(await own.db.project.findMany({ select: { slug: true } })).toEqual([{ slug: 'demo' }])
    expect(await own.db.category.count()).toBe(6)
    expect(new Set(made.map(credentials => credentials?.apiKey)).size).toBe(folders.length)
    for (const [n, folder] of folders.entries()) expect(readCredentials(folder)).toEqual(made[n])
    // A later start finds the key of the earlier start, and issues no other key.
    expect(await start(folders[0] ?? '')).toEqual(made[0])
    expect(await own.db.apiKey.count()).toBe(folders.length)
  })
})
