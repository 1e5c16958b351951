import Fastify from 'fastify'
import pg from 'pg'
import { number, readRows, setting, toPet } from '../answers.ts'

const pool = new pg.Pool({ connectionString: setting('DATABASE_URL'), max: 10 })
const app = Fastify()

const pet = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    categoryId: { type: 'integer' },
    status: { type: 'string' },
  },
}

type Query = { after: number; limit: number; status?: string }

app.get<{ Querystring: Query }>(
  '/v1/pets',
  {
    schema: {
      querystring: {
        type: 'object',
        properties: {
          after: { type: 'integer', default: 0 },
          limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
          status: { enum: ['available', 'pending', 'sold'] },
        },
      },
      response: { 200: { type: 'array', items: pet } },
    },
  },
  async request => {
    const { after, limit, status } = request.query
    const filters = status ? { status } : {}
    return (await readRows(pool, number(request.headers['x-project']), after, limit, filters)).map(toPet)
  },
)

app.get<{ Params: { petId: string } }>(
  '/v1/pets/:petId',
  { schema: { response: { 200: pet } } },
  async (request, reply) => {
    const { rows } = await pool.query({
      name: 'pet',
      text: 'select id, name, category_id, status from pets where id = $1 and project_id = $2',
      values: [request.params.petId, number(request.headers['x-project'])],
    })
    return rows[0] ? toPet(rows[0]) : reply.code(404).send({ code: 'pet_not_found' })
  },
)

app.post<{ Body: { name: string; categoryId: number; status?: string } }>(
  '/v1/pets',
  {
    schema: {
      body: {
        type: 'object',
        required: ['name', 'categoryId'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 255 },
          categoryId: { type: 'integer' },
          status: { enum: ['available', 'pending', 'sold'] },
        },
      },
      response: { 201: pet },
    },
  },
  async (request, reply) => {
    const { name, categoryId, status } = request.body
    const { rows } = await pool.query({
      name: 'insert',
      text: `insert into pets (project_id, name, category_id, status) values ($1, $2, $3, $4)
             returning id, name, category_id, status`,
      values: [number(request.headers['x-project']), name, categoryId, status ?? null],
    })
    reply.code(201)
    return toPet(rows[0])
  },
)

app.patch<{ Params: { petId: string }; Body: { name?: string; categoryId?: number; status?: string } }>(
  '/v1/pets/:petId',
  {
    schema: {
      body: {
        type: 'object',
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 255 },
          categoryId: { type: 'integer' },
          status: { enum: ['available', 'pending', 'sold'] },
        },
      },
      response: { 200: pet },
    },
  },
  async (request, reply) => {
    const { name, categoryId, status } = request.body
    const { rows } = await pool.query({
      name: 'update',
      text: `update pets set name = coalesce($3, name), category_id = coalesce($4, category_id),
             status = coalesce($5::"PetStatus", status)
             where project_id = $1 and id = $2 returning id, name, category_id, status`,
      values: [number(request.headers['x-project']), request.params.petId, name, categoryId, status],
    })
    return rows[0] ? toPet(rows[0]) : reply.code(404).send({ code: 'pet_not_found' })
  },
)

await app.listen({ port: number(setting('PORT')), host: '127.0.0.1' })
