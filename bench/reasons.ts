import { works } from './works.ts'

const graphqlList =
  'what was sent has to be read and the answer found by it; the floor is that of a REST list.'

const listNew =
  'beside its share of a statement, a page that nobody asked for before costs what every list does.'

/** Why a goal is hard to reach, for the report of a run that missed it; by the goal's work. */
export const reasons: Readonly<Record<string, string>> = {
  'REST list, hot':
    'beside the Redis call and the write, which the bare server has as well, a request passes Express and its routers, finds its key, two windows and a ban, sends 25 headers and writes a log line.',
  [works.listNewest.title]: listNew,
  [works.listBy.title]: listNew,
  [works.update.title]:
    'the pet, the log of changes and the counts are written in one statement, and a version in Redis before the answer; by the book it is one statement and nothing else.',
  [works.place.title]:
    'the order, its pet, the log of changes and the counts are written, though in one statement for all who come at once.',
  'Import of 10,000 pets': 'each line is read and judged by the one thread that answers everybody else.',
  '10,000,000 pets of one project, by every filter':
    'each page is asked for once and lies somewhere in two gigabytes, far more than a processor keeps at hand.',
  '429':
    'a refusal passes the same key, headers and log line as a list, and is spared the page and most calls of Redis.',
  '401':
    'a key that is met for the first time has to be looked for in PostgreSQL, and each address is counted by itself.',
  'Flood of 429': 'refusals share the one core with everybody else.',
  'Flood of 401': 'refusals share the one core with everybody else, and cost nearly what a list costs.',
  [works.graphqlList.title]: graphqlList,
  [works.graphqlListApollo.title]: graphqlList,
  [works.graphqlListUrql.title]: graphqlList,
  [works.graphqlCreateApollo.title]:
    'beside the statement there is Apollo Server, which is on the way of every operation, and the body to read.',
  'The mix':
    'a mixed request by the book costs little more than three kept pages of ours, so that 3.5 times would be had only for less than a kept page, most of which is node’s HTTP, Express and the write; and of ten requests one writes and two read what nobody asked for before, each for one to two kept pages more, though it shares its statement with others.',
  '10,000,000 pets of 10,000 projects':
    'the keys and pages of ten thousand projects are spread over far more memory than a processor keeps at hand.',
  'Start on PostgreSQL':
    'to load and compile Prisma, Express, the Redis client and the store itself takes one core nearly all of it.',
  'Memory under load': 'the kept pages and answers, and the collector that waits for more to collect.',
  'A deploy a second among 100,000 hosts':
    'what a deploy changed is read anew by each process when the next visitor asks for it.',
  '/livez meanwhile':
    'after its start each process looks through all sealed keys, and a visitor of each new host brings a look-up and an opened key.',
  'Memory with 100,000 hosts':
    'each process keeps the hosts that were asked for lately, and a thousand opened keys.',
}
