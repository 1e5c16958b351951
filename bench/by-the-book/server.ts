// A contestant with the libraries of the store, each set up as its documentation shows.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { ApolloServer } from '@apollo/server'
import { expressMiddleware } from '@as-integrations/express5'
import { PrismaPg } from '@prisma/adapter-pg'
import express from 'express'
import { Redis } from 'ioredis'
import { PrismaClient } from '../../src/generated/prisma/client.ts'
import { setting } from '../answers.ts'
import { type Context, resolvers, typeDefs } from './graphql.ts'
import { authenticate, limit } from './middleware.ts'
import { petsRouter } from './pets.ts'
import { storeRouter } from './store.ts'

const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: setting('DATABASE_URL') }) })
const redis = new Redis(setting('REDIS_URL'), { enableOfflineQueue: false })
await once(redis, 'ready')
const projects = new Map<string, { id: number; perMinute: number; perDay: number }>(
  JSON.parse(readFileSync(setting('KEYS_FILE'), 'utf8')),
)

const app = express()
app.set('json replacer', (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))
app.use(express.json())
app.use(authenticate(projects))
app.use(limit(redis))
app.use('/v1/pets', petsRouter(prisma))
app.use('/v1/store', storeRouter(prisma))

// Turn off Apollo's CSRF prevention, because urql's GETs lack the headers that it requires. There are no cookies to
// protect.
const apollo = new ApolloServer<Context>({ typeDefs, resolvers, csrfPrevention: false })
await apollo.start()
app.use(
  '/graphql',
  expressMiddleware(apollo, {
    context: async ({ res }) => ({ prisma, projectId: res.locals.project.id }),
  }),
)

app.listen(Number(setting('PORT')), '127.0.0.1')
