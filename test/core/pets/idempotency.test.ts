import { describe, expect, it, onTestFinished } from 'vitest'
import { petWith } from '../../../src/core/pets/columns.ts'
import { createPet } from '../../../src/core/pets/create.ts'
import { hashOf, hashOfPet } from '../../../src/core/pets/idempotency.ts'
import { openPets } from '../../../src/core/pets/pets.ts'
import type { Project } from '../../../src/core/project.ts'
import { systemClock } from '../../../src/tools/clock.ts'
import { until } from '../../support/hosting.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'
import { watchStatements } from '../../support/statements.ts'

describe.skipIf(!canRace())('an idempotency key in use', () => {
  const own = prepareOwnDatabase()
  const rex = { name: 'Rex', categoryId: 1n, status: null }

  /**
   * Returns the answer to a create. While the create waits, another transaction uses the same idempotency key, and then
   * ends with `end`. The create's statement cannot see this transaction.
   */
  async function addWhile(hash: Uint8Array, end: 'COMMIT' | 'ROLLBACK') {
    const project = (await own.makeProject()) as unknown as Project
    const rival = await own.database.pool?.connect()
    if (!rival) throw new Error('There is no PostgreSQL.')
    onTestFinished(() => rival.release())
    await rival.query('BEGIN')
    const { rows } = await rival.query(
      `INSERT INTO pets (project_id, name, category_id) VALUES ($1, 'Rex', 1) RETURNING id`,
      [project.id],
    )
    await rival.query(
      `INSERT INTO idempotent_creations (project_id, key, input_hash, pet_id, expires_at)
       VALUES ($1, 'once', $2, $3, now() + interval '1 day')`,
      [project.id, hash, rows[0].id],
    )
    const tools = { clock: systemClock, limiter: { renewVersion: async () => true } }
    const added = createPet(
      { ...tools, pets: openPets(own.database), db: own.db },
      project,
      rex,
      'once',
    ).catch(error => error.code)
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await until(
      async () => (await own.database.pool?.query(waiting))?.rowCount,
      count => count === 1,
    )
    await rival.query(end)
    const pets = async () => own.db.pet.count({ where: { projectId: project.id } })
    return { answer: await added, firstId: BigInt(rows[0].id), pets: await pets() }
  }

  const sameHash = hashOf(['Rex', '1', null])

  it('two requests under one idempotency key add one pet', async () => {
    const { answer, firstId, pets } = await addWhile(sameHash, 'COMMIT')

    expect(answer).toEqual({ pet: petWith(firstId, rex), isReplayed: true })
    expect(pets).toBe(1)
  })

  it('a second request under an idempotency key is refused if it describes another pet than the first', async () => {
    const { answer, pets } = await addWhile(hashOf(['Max', '1', null]), 'COMMIT')

    expect(answer).toBe('idempotency_mismatch')
    expect(pets).toBe(1)
  })

  it('a second request under an idempotency key adds the pet if the first one failed', async () => {
    const { answer, pets } = await addWhile(sameHash, 'ROLLBACK')

    expect(answer).toMatchObject({ pet: rex, isReplayed: false })
    expect(pets).toBe(1)
  })

  it('fifty equal concurrent creations under one idempotency key take one statement and add one pet', async () => {
    const project = (await own.makeProject()) as unknown as Project
    const tools = { pets: openPets(own.database), db: own.db, clock: systemClock }
    const limiter = { renewVersion: async () => true }
    const watch = watchStatements()

    const added = await Promise.all(
      Array.from({ length: 50 }, () => createPet({ ...tools, limiter }, project, rex, 'many')),
    ).finally(watch.stop)

    expect(new Set(added.map(({ pet }) => pet.id)).size).toBe(1)
    expect(added.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1)
    expect(watch.naming('Rex')).toBe(1)
    expect(await own.db.pet.count({ where: { projectId: project.id } })).toBe(1)
  })
})

it('a repeated creation is recognised even if a newer version has added a pet field that the request omits', () => {
  expect(hashOfPet(['Rex', '1', null, null, null])).toEqual(hashOf(['Rex', '1', null]))
  expect(hashOfPet(['Rex', '1', null, 'collie'])).not.toEqual(hashOf(['Rex', '1', null]))
})
