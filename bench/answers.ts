// What contestants on plain pg share: the page's statement and its bytes.
import type pg from 'pg'

export type Row = { id: string; name: string; category_id: string; status: string | null }

/** The bench's ids stay far below 2^53, so a contestant may hold them as numbers. */
export const number = (text: unknown) => Number(text)

export function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set.`)
  return value
}

export async function readRows(
  pool: pg.Pool,
  project: number,
  after: number,
  limit: number,
  status?: string,
) {
  const { rows } = await pool.query<Row>(
    status
      ? {
          name: 'filtered-page',
          text: `select id, name, category_id, status from pets
                 where project_id = $1 and id > $2 and status = $4::"PetStatus" order by id limit $3`,
          values: [project, after, limit, status],
        }
      : {
          name: 'page',
          text: `select id, name, category_id, status from pets
                 where project_id = $1 and id > $2 order by id limit $3`,
          values: [project, after, limit],
        },
  )
  return rows
}

export const toPet = (row: Row) => ({
  id: number(row.id),
  name: row.name,
  categoryId: number(row.category_id),
  ...(row.status ? { status: row.status } : {}),
})

export async function readPage(pool: pg.Pool, project: number, after = 0): Promise<string> {
  return JSON.stringify((await readRows(pool, project, after, 20)).map(toPet))
}
