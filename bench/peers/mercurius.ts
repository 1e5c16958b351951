import Fastify from 'fastify'
import mercurius, { type MercuriusContext } from 'mercurius'
import pg from 'pg'
import { number, type Row, readRows, setting } from '../answers.ts'
import { typeDefs } from '../by-the-book/graphql.ts'

const pool = new pg.Pool({ connectionString: setting('DATABASE_URL'), max: 10 })
const app = Fastify()

declare module 'mercurius' {
  interface MercuriusContext {
    project: number
  }
}

type Page = { first: number; after?: string; status?: string }
type PetChange = { name?: string; categoryId?: string; status?: string }
type NewPet = { name: string; categoryId: string; status?: string }

const toPet = (row: Row) => ({ id: row.id, name: row.name, categoryId: row.category_id, status: row.status })

app.register(mercurius, {
  schema: typeDefs,
  resolvers: {
    Query: {
      async pets(_: unknown, { first, after, status }: Page, { project }: MercuriusContext) {
        const filters = status ? { status } : {}
        const rows = await readRows(pool, project, number(after ?? '0'), first + 1, filters)
        return { nodes: rows.slice(0, first).map(toPet), pageInfo: { hasNextPage: rows.length > first } }
      },
    },
    Mutation: {
      async createPet(_: unknown, { input }: { input: NewPet }, { project }: MercuriusContext) {
        const { rows } = await pool.query<Row>({
          name: 'insert',
          text: `insert into pets (project_id, name, category_id, status) values ($1, $2, $3, $4)
                 returning id, name, category_id, status`,
          values: [project, input.name, input.categoryId, input.status ?? null],
        })
        return rows.map(toPet)[0]
      },
      async updatePet(
        _: unknown,
        { petId, input }: { petId: string; input: PetChange },
        { project }: MercuriusContext,
      ) {
        const { rows } = await pool.query<Row>({
          name: 'update',
          text: `update pets set name = coalesce($3, name), category_id = coalesce($4, category_id),
                 status = coalesce($5::"PetStatus", status)
                 where project_id = $1 and id = $2 returning id, name, category_id, status`,
          values: [project, petId, input.name, input.categoryId, input.status],
        })
        return rows.map(toPet)[0] ?? null
      },
    },
  },
  context: request => ({ project: number(request.headers['x-project']) }),
  jit: 1,
  persistedQueryProvider: mercurius.persistedQueryDefaults.automatic(),
})

await app.listen({ port: number(setting('PORT')), host: '127.0.0.1' })
