import { works } from './works.ts'

const graphqlList =
  'the query must be read to find the cached answer, and the request costs at least as much as a REST list.'

const listNew =
  'a page that is not cached costs a share of a batched statement, beside all that a cached list costs.'

/** Why each work's goal is hard to reach. The report prints the reasons of missed goals. */
export const reasons: Readonly<Record<string, string>> = {
  'REST list, hot':
    'beside the Redis call and the write, which the bare server has too, a request passes Express and its routers, checks its key, two windows and a ban, sends 25 headers and writes a log line. At commit 4b9243a2 this took 58 microseconds of the process, and the bare server 23.',
  [works.listNew.title]: listNew,
  [works.listNewest.title]: listNew,
  [works.listBy.title]: listNew,
  [works.create.title]:
    'one statement writes the pet, an event, the change log and the counts; the bare server’s writes the pet only.',
  [works.update.title]:
    'at commit 4b9243a2 the process took 104 microseconds (by the book 221), but PostgreSQL and Redis, which share their core with the load, still took 122 (by the book 203): one statement writes the pet, an event, the change log and the counts, and a version goes to Redis before the answer.',
  [works.place.title]:
    'the order, its pet, the change log and the counts are written, although one statement serves all concurrent orders.',
  'Import of 10,000 pets': 'the one thread that serves all other requests parses and validates each line.',
  '10,000,000 pets of one project, by every filter':
    'each page is requested once, from two gigabytes, which is far more than a processor cache holds.',
  '429':
    'a refusal needs the same key check, headers and log line as a list, and a timer: refusals of one client are paced.',
  '401': 'a new key must be looked up in PostgreSQL, and each address has its own count.',
  'Flood of 429': 'refusals share the one core with all other requests.',
  'Flood of 401': 'refusals share the one core with all other requests, and cost nearly as much as a list.',
  [works.graphqlList.title]: graphqlList,
  [works.graphqlListApollo.title]: graphqlList,
  [works.graphqlListUrql.title]: graphqlList,
  [works.graphqlListNew.title]:
    'at commit 4b9243a2 a request took 218 microseconds of the process, and the same page over REST, which parses no GraphQL, 107: it checks a key, counts the request, sends 25 headers and writes a log line. Mercurius does none of these and took 95. The GraphQL executor takes a tenth of the time, so a compiled one would not close the gap.',
  [works.graphqlCreateApollo.title]:
    'at commit 4b9243a2 the process took 186 microseconds (by the book, with Apollo Server too, 297), but PostgreSQL and Redis, which share their core with the load, still took 116 (by the book 224): one statement writes the pet, an event, the change log and the counts.',
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
