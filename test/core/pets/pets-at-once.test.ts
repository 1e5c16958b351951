import { describe, expect, it } from 'vitest'
import { deletePet, updatePet } from '../../../src/core/pets/change.ts'
import { type PetStatus, petStatuses, tagOfPet } from '../../../src/core/pets/columns.ts'
import { mostLookedAt, type PageRequest } from '../../../src/core/pets/pages.ts'
import { openPets } from '../../../src/core/pets/pets.ts'
import type { Project } from '../../../src/core/project.ts'
import { inPieces } from '../../support/fill.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

describe.skipIf(!canRace())('concurrent reads and changes of pets', () => {
  const own = prepareOwnDatabase()
  const sent: string[] = []
  const open = () =>
    openPets({
      run: statement => {
        sent.push(statement.name)
        return own.database.run(statement)
      },
    })
  const makeProject = async () => (await own.makeProject()) as unknown as Project
  const whole: PageRequest = {
    ...{ limit: 100, after: null, status: null, categoryId: null, name: null, newestFirst: false },
  }
  const codeOf = ({ code }: { code: string }) => code

  /** Adds eight pets: one of each status and one without, in each of two categories. */
  async function fill(project: Project) {
    const statuses: (PetStatus | null)[] = [...petStatuses, null]
    const data = statuses.flatMap(status => [1n, 2n].map(categoryId => ({ status, categoryId })))
    const named = data.map(pet => ({
      ...pet,
      projectId: project.id,
      name: `${pet.status} ${pet.categoryId}`,
    }))
    await own.db.pet.createMany({ data: named })
    return (await open().list(project, whole)).pets
  }

  it('concurrent requests each get their own page, by status, category, name and cursor', async () => {
    const project = await makeProject()
    const pets = open()
    const all = await fill(project)
    const pages: Partial<PageRequest>[] = [
      ...petStatuses.map(status => ({ status })),
      ...[1n, 2n, 3n].map(categoryId => ({ categoryId })),
      ...petStatuses.map((status, n) => ({ status, categoryId: BigInt(1 + (n % 2)) })),
      ...['sold', 'le 1', 'null 2', '%'].map(name => ({ name })),
      ...all.map(({ id }) => ({ after: id })),
      ...all.map(({ id }, n) => ({ after: id, newestFirst: true, limit: 1 + (n % 3) })),
    ]
    const fits = (page: Partial<PageRequest>) => {
      const fitting = all
        .filter(({ status }) => !page.status || status === page.status)
        .filter(({ categoryId }) => !page.categoryId || categoryId === page.categoryId)
        .filter(({ name }) => name.includes(page.name ?? ''))
        .filter(({ id }) => !page.after || (page.newestFirst ? id < page.after : id > page.after))
      return (page.newestFirst ? fitting.reverse() : fitting).slice(0, page.limit)
    }
    sent.length = 0

    const found = await Promise.all(pages.map(page => pets.list(project, { ...whole, ...page })))

    expect(found.map(page => page.pets)).toEqual(pages.map(fits))
    const shapes = ['', '_by_status', '_by_category', '_by_status_category', '_by_name', '_newest_first']
    expect(new Set(sent)).toEqual(new Set(shapes.map(shape => `list_pets${shape}`)))
    // Concurrent list requests with the same kinds of filters and the same order share one statement. If the statement
    // is already running, the remaining requests share a second statement.
    expect(sent.length).toBeLessThan(2 * shapes.length + 1)
  })

  it('a pet requested several times at once is returned to each request', async () => {
    const project = await makeProject()
    const [first, second] = await fill(project)
    if (!first || !second) throw new Error('There are no pets.')
    const pets = open()

    const found = await Promise.all([first, second, first].map(({ id }) => pets.find(project, id)))

    expect(found).toEqual([first, second, first])
  })

  it('each of several concurrent changes of pets is checked against the version of its own pet', async () => {
    const project = await makeProject()
    const all = await fill(project)
    const pets = open()

    const outcomes = await Promise.all(
      all.map((pet, n) => {
        const known = [pet.version, pet.version + 1, null][n % 3] ?? null
        return pets.update(project, pet.id, { name: 'New' }, known).then(({ name }) => name, codeOf)
      }),
    )

    expect(outcomes).toEqual(all.map((_, n) => (n % 3 === 1 ? 'precondition_failed' : 'New')))
  })

  it('different pets have different tags, and each change gives a new tag', async () => {
    const project = await makeProject()
    const make = { projectId: project.id, name: 'Rex', categoryId: 1n }
    await own.db.pet.createMany({ data: Array.from({ length: 1_000 }, () => make) })
    const { pets } = await open().list(project, { ...whole, limit: 1_000 })

    expect(new Set(pets.map(tagOfPet)).size).toBe(1_000)
  })

  it('if a search by name stops before it has examined all pets, the answer has a next cursor, whether the page is full or not', async () => {
    const project = await makeProject()
    const pets = open()
    await inPieces(
      mostLookedAt + 1,
      (from, to) => own.db.$executeRaw`
        INSERT INTO pets (project_id, name, category_id)
        SELECT ${project.id}::int, CASE WHEN n IN (1, 2, ${mostLookedAt + 1}) THEN 'Zoë' ELSE 'Max' END, 1
        FROM generate_series(${from}::int, ${to}::int) AS n`,
    )
    const page = { ...whole, name: 'zoë', limit: 2 }

    const first = await pets.listPart(project, page)
    const more = await pets.listPart(project, { ...page, limit: 3 })
    const few = await pets.listPart(project, { ...page, limit: 1 })

    expect(first.pets.map(({ name }) => name)).toEqual(['Zoë', 'Zoë'])
    expect([first, more].map(({ pets }) => pets.length)).toEqual([2, 2])
    // The cursor is the last pet examined, not the last pet found.
    const lookedTo = (first.pets[0]?.id ?? 0n) + BigInt(mostLookedAt) - 1n
    expect([first, more].map(({ lastId }) => lastId)).toEqual([lookedTo, lookedTo])
    for (const { nextCursor } of [first, more, few]) expect(nextCursor).not.toBeNull()
    const last = await pets.listPart(project, { ...page, after: lookedTo })
    expect([last.pets.length, last.nextCursor, last.lastId]).toEqual([1, null, null])
  })

  describe('a locked pet', () => {
    const tools = () => ({ pets: open(), limiter: { renewVersion: async () => true } })

    /** Returns the answer to a request that waited while another transaction changed the pet. */
    async function askWhile<T>(change: string, id: bigint, ask: () => Promise<T>): Promise<T> {
      const somebody = await own.database.pool?.connect()
      if (!somebody) throw new Error('There is no PostgreSQL.')
      await somebody.query('BEGIN')
      await somebody.query(`UPDATE pets SET ${change} WHERE id = $1`, [id])
      const pages = ask()
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      await expect
        .poll(async () => (await own.database.pool?.query(waiting))?.rowCount, { interval: 20 })
        .toBe(1)
      await somebody.query('COMMIT')
      somebody.release()
      return pages
    }

    it('a pet locked by a new order can be renamed after the order commits, but its deletion or status change is refused', async () => {
      const project = await makeProject()
      const [first, second, third] = await fill(project)
      if (!first || !second || !third) throw new Error('There are no pets.')
      const { pets } = tools()
      const order = `status = 'pending', open_order_id = 7`

      const deleted = askWhile(order, first.id, () => pets.delete(project, first.id, null).catch(codeOf))
      expect(await deleted).toBe('pet_in_order')
      const sold = () => pets.update(project, second.id, { status: 'sold' }, null).catch(codeOf)
      expect(await askWhile(order, second.id, sold)).toBe('pet_in_order')
      const renamed = () => pets.update(project, third.id, { name: 'Max' }, null)
      expect(await askWhile(order, third.id, renamed)).toMatchObject({ name: 'Max', status: 'pending' })
    })

    it('a change with a stale tag leaves the pet unchanged', async () => {
      const project = await makeProject()
      const [first, second] = await fill(project)
      if (!first || !second) throw new Error('There are no pets.')

      const only = (pet: typeof first) => ({ match: [tagOfPet(pet)], noneMatch: null })
      const deleted = () => deletePet(tools(), project, first.id, only(first)).catch(codeOf)
      expect(await askWhile(`name = 'Max'`, first.id, deleted)).toBe('precondition_failed')
      const changed = () =>
        updatePet(tools(), project, second.id, { status: 'sold' }, only(second)).catch(codeOf)
      expect(await askWhile(`name = 'Max'`, second.id, changed)).toBe('precondition_failed')

      const left = await own.db.pet.findMany({
        where: { projectId: project.id, name: 'Max' },
        orderBy: { id: 'asc' },
      })
      expect(left).toMatchObject(
        [first, second].map(pet => ({ ...pet, name: 'Max', version: pet.version + 1 })),
      )
    })
  })
})
