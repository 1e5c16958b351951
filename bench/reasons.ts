import { works } from './works.ts'

const graphqlList =
  'the query must be read to find the cached answer, and the request costs at least as much as a REST list.'

const listNew =
  'a page that is not cached costs a share of a batched statement, beside all that a cached list costs.'

/** Why each work's goal is hard to reach. The report prints the reasons of missed goals. */
export const reasons: Readonly<Record<string, string>> = {
  'REST list, hot':
    'beside the Redis call and the write, which the bare server has too, a request passes Express and its routers, checks its key, two windows and a ban, sends 25 headers and writes a log line. At commit f69f598a this took 77 microseconds of the process, and the bare server 27; two later runs of this work alone took 65 and 57.',
  [works.listNew.title]: listNew,
  [works.listNewest.title]: listNew,
  [works.listBy.title]: listNew,
  [works.create.title]:
    'one statement writes the pet, an event, the change log and the counts; the bare server’s writes the pet only.',
  [works.update.title]:
    'at commit f69f598a the process took 144 microseconds (by the book 275), but PostgreSQL and Redis, which share their core with the load, still took 173 (by the book 245): one statement writes the pet, an event, the change log and the counts, and a version goes to Redis before the answer.',
  [works.place.title]:
    'the order, its pet, the change log and the counts are written, although one statement serves all concurrent orders.',
  'Import of 10,000 pets': 'the one thread that serves all other requests parses and validates each line.',
  '10,000,000 pets of one project, by every filter':
    'each page is requested once, from two gigabytes, which is far more than a processor cache holds.',
  '429':
    'a refusal needs the same key check, headers and log line as a list. Refusals of one client are also paced: each waits in a queue for its turn.',
  '401': 'a new key must be looked up in PostgreSQL, and each address has its own count.',
  'Flood of 429': 'refusals share the one core with all other requests.',
  'Flood of 401': 'refusals share the one core with all other requests, and cost nearly as much as a list.',
  [works.graphqlList.title]: graphqlList,
  [works.graphqlListApollo.title]: graphqlList,
  [works.graphqlListUrql.title]: graphqlList,
  [works.graphqlListNew.title]:
    'at commit f69f598a a request took 362 microseconds of the process, and the same page over REST, which parses no GraphQL, 134: it checks a key, counts the request, sends 25 headers and writes a log line. Mercurius does none of these and took 139.',
  [works.graphqlCreateApollo.title]:
    'at commit f69f598a the process took 226 microseconds (by the book, with Apollo Server too, 339), but PostgreSQL and Redis, which share their core with the load, still took 144 (by the book 258): one statement writes the pet, an event, the change log and the counts.',
  'The mix':
    'every request also passes Express and its routers, checks its key, sends 25 headers and writes a log line; a create also writes the change log, the counts and an event.',
  '10,000,000 pets of 10,000 projects':
    'the keys and pages of ten thousand projects take far more memory than a processor cache holds.',
  'Start on PostgreSQL':
    'loading and compiling Prisma, Express, the Redis client and the store keeps one core busy; then the process warms up before it listens, so that the first requests do not wait.',
  'Memory under load':
    'the code of all doors is loaded, answers are cached, and the heap grows by half before a full garbage collection.',
  'Memory while the mix goes on':
    'the cached pages take memory up to their limit, which a slow machine reaches after the second minute.',
  'A deploy a second among 100,000 hosts':
    'each process reads a changed deploy again at the next visit to its host.',
  '/livez during these deploys':
    'each process checks all sealed keys after its start, and the first visit to a host needs a query and opens its key.',
  'Memory with 100,000 hosts': 'each process caches the recently visited hosts, and up to 500 opened keys.',
}
