// A contestant that shows the limit of the machine: a server with node:http that does as little as possible between the
// request and the answer.
import { createServer, type IncomingMessage } from 'node:http'
import { Redis } from 'ioredis'
import pg from 'pg'
import { number, readPage, setting } from '../answers.ts'

const steps = setting('STEPS').split(',')
const redis = steps.includes('redis') ? new Redis(setting('REDIS_URL')) : null
const pool = new pg.Pool({ connectionString: setting('DATABASE_URL'), max: 10 })
const fixedPage = await readPage(pool, 1)

redis?.defineCommand('charge', {
  numberOfKeys: 2,
  lua: `
    local used = {}
    for i = 1, 2 do
      used[i] = redis.call('INCR', KEYS[i])
      if used[i] == 1 then redis.call('EXPIRE', KEYS[i], ARGV[i]) end
      used[i + 2] = redis.call('PTTL', KEYS[i])
    end
    return used`,
})
type Charging = { charge(minute: string, day: string, ...seconds: number[]): Promise<number[]> }

createServer(async (request, response) => {
  const project = number(request.headers['x-project'])
  if (redis) await (redis as unknown as Charging).charge(`{${project}}m`, `{${project}}d`, 60, 86400)
  let status = 200
  let body = fixedPage
  if (steps.includes('select')) {
    const query = new URLSearchParams(request.url?.split('?')[1])
    body = await readPage(pool, project, number(query.get('after') ?? '0'), {
      ...(query.has('status') && { status: String(query.get('status')) }),
      ...(query.has('categoryId') && { category: number(query.get('categoryId')) }),
      ...(query.has('sort') && { newestFirst: true }),
    })
  } else if (steps.includes('insert')) {
    status = 201
    body = await createPet(project, await readBody(request))
  }
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}).listen(number(setting('PORT')), '127.0.0.1')

/** If the client disconnects before it has sent the whole body, do not answer. */
function readBody(request: IncomingMessage): Promise<{ name: string; categoryId: number }> {
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  return new Promise(resolve => {
    request.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())))
    request.on('error', () => {})
  })
}

async function createPet(project: number, pet: { name: string; categoryId: number }): Promise<string> {
  const { rows } = await pool.query({
    name: 'insert',
    text: 'insert into pets (project_id, name, category_id) values ($1, $2, $3) returning id',
    values: [project, pet.name, pet.categoryId],
  })
  return JSON.stringify({ id: number(rows[0].id), name: pet.name, categoryId: pet.categoryId })
}
