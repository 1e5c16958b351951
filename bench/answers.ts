// Helpers for the contestants that use plain pg. They read a page of pets and write it as the JSON of the answer.
import type pg from 'pg'
import type { Filters } from './questions.ts'

export type Row = { id: string; name: string; category_id: string; status: string | null }

/** The bench's ids stay far below 2^53, so a contestant may use plain numbers. */
export const number = (text: unknown) => Number(text)

export function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set.`)
  return value
}

/** Reads a page with one statement, prepared for each combination of filters. */
export async function readRows(
  pool: pg.Pool,
  project: number,
  after: number,
  limit: number,
  { status, category, newestFirst }: Omit<Filters, 'name'> = {},
) {
  const values: unknown[] = [project, after, limit]
  const where = ['project_id = $1', newestFirst ? 'id < $2' : 'id > $2']
  if (status) where.push(`status = $${values.push(status)}::"PetStatus"`)
  if (category) where.push(`category_id = $${values.push(category)}`)
  const text = `select id, name, category_id, status from pets
                where ${where.join(' and ')} order by id ${newestFirst ? 'desc' : 'asc'} limit $3`
  const name = `page ${[status && 'status', category && 'category', newestFirst && 'newest']}`
  const { rows } = await pool.query<Row>({ name, text, values })
  return rows
}

export const toPet = (row: Row) => ({
  id: number(row.id),
  name: row.name,
  categoryId: number(row.category_id),
  ...(row.status ? { status: row.status } : {}),
})

export async function readPage(
  pool: pg.Pool,
  project: number,
  after = 0,
  filters: Omit<Filters, 'name'> = {},
): Promise<string> {
  return JSON.stringify((await readRows(pool, project, after, 20, filters)).map(toPet))
}
