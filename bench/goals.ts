import type { HostsFound } from './hosts/measure.ts'
import { figure, type Results, ratio, ratioOf } from './results.ts'
import { besideName, works } from './works.ts'

export type Goal = { work: string; goal: string; found: number; unit: string; met: boolean }

export function judge(results: Results): Goal[] {
  const rate = (...[work, name, to]: [Parameters<typeof ratio>[1], string, string]) =>
    ratio(results, work, name, to, 'perSecond')
  const cpuToList = (work: 'refused' | 'wrongKey') =>
    ratio(results, work, 'ours', besideName(works[work]), 'cpuMicroseconds')
  const peak = (name: string) => results.peakMegabytes.get(name) ?? Number.NaN
  const { start, flood, size, bigStore, import: imported, soak, hosts } = results
  return [
    atLeast(
      0.45,
      'REST list, hot',
      'of bare node:http with one Redis round trip',
      rate('list', 'ours', 'bare+redis'),
    ),
    atLeast(5, 'REST list, hot', 'times by the book', rate('list', 'ours', 'by the book')),
    atLeast(
      0.7,
      'REST list, never seen before',
      'of bare with Redis and one SELECT',
      rate('listNew', 'ours', 'bare+redis+select'),
    ),
    atLeast(
      0.7,
      'REST create',
      'of bare with Redis and one INSERT',
      rate('create', 'ours', 'bare+redis+insert'),
    ),
    ...filteredLists.map(work =>
      atLeast(
        0.7,
        works[work].title,
        'of bare with Redis and one SELECT',
        rate(work, 'ours', 'bare+redis+select'),
      ),
    ),
    atLeast(
      0.3,
      'Import of 10,000 pets',
      'of COPY by psql',
      imported ? ratioOf(imported.ours, imported.copy) : Number.NaN,
    ),
    ...(['update', 'place'] as const).map(work =>
      atLeast(2, works[work].title, 'times by the book', rate(work, 'ours', 'by the book')),
    ),
    atMost(1, '429', "of a list's CPU, at the same rate", cpuToList('refused')),
    atMost(1, '401', "of a list's CPU", cpuToList('wrongKey')),
    atMost(
      2,
      'Flood of 429',
      "times other projects' p99",
      flood ? ratioOf(flood.refused, flood.quiet) : Number.NaN,
    ),
    atMost(
      2,
      'Flood of 401',
      "times other projects' p99",
      flood ? ratioOf(flood.wrongKey, flood.quiet) : Number.NaN,
    ),
    ...hotGraphqlLists.flatMap(work => [
      atLeast(5, works[work].title, 'times by the book', rate(work, 'ours', 'by the book')),
      atLeast(1, works[work].title, 'of Mercurius with JIT', rate(work, 'ours', 'Mercurius')),
    ]),
    atLeast(
      0.7,
      works.graphqlListNew.title,
      'of Mercurius with JIT',
      rate('graphqlListNew', 'ours', 'Mercurius'),
    ),
    atLeast(
      1.6,
      works.graphqlCreateApollo.title,
      'times by the book',
      rate('graphqlCreateApollo', 'ours', 'by the book'),
    ),
    atLeast(
      0.6,
      'The mix',
      'of the bare servers of its works',
      figure(results, 'mix', 'ours', 'perSecond') / limitOfMix(results),
    ),
    atMost(
      1.3,
      '10,000,000 pets of 10,000 projects',
      'times the list p99 of 10,000 pets',
      size ? ratioOf(size.large, size.small) : Number.NaN,
    ),
    atMost(
      1.3,
      '10,000,000 pets of one project, by every filter',
      'times the p99 of 100,000 pets',
      bigStore ? ratioOf(bigStore.big, bigStore.small) : Number.NaN,
    ),
    atMost(1, 'Memory under load', 'of by the book', peak('ours') / peak('by the book')),
    atMost(
      1.1,
      'Memory while the mix goes on',
      'of the second minute in the last',
      soak ? soak.late / soak.early : Number.NaN,
    ),
    atMost(
      1,
      'Start on PostgreSQL',
      'seconds to the first answer',
      start ? start.postgres / 1000 : Number.NaN,
    ),
    atMost(
      3,
      'Start on the embedded default, warm',
      'seconds to the first answer',
      start ? start.embeddedWarm / 1000 : Number.NaN,
    ),
    ...(hosts ? judgeHosts(hosts) : []),
  ]
}

/** This list lacks the search by name, because the search has no goal: its cost depends on how common the name is. */
const filteredLists = ['listBy', 'listNewest'] as const
const hotGraphqlLists = ['graphqlList', 'graphqlListApollo', 'graphqlListUrql'] as const

/**
 * Returns the requests per second that bare servers would reach with the mix, computed from the requests per second
 * that they reach with each part of the mix.
 */
function limitOfMix(results: Results): number {
  const parts = [
    { share: 0.7, of: figure(results, 'list', 'bare+redis', 'perSecond') },
    { share: 0.2, of: figure(results, 'listNew', 'bare+redis+select', 'perSecond') },
    { share: 0.1, of: figure(results, 'create', 'bare+redis+insert', 'perSecond') },
  ]
  return 1 / parts.reduce((time, { share, of }) => time + share / of, 0)
}

/**
 * Compares the cost of a hundred thousand hosts with the cost of almost none. Both are measured during a minute of
 * deploys and visits.
 */
function judgeHosts({ empty, full }: HostsFound): Goal[] {
  const more = (of: 'startMs' | 'slowestLivezMs' | 'megabytes') => full[of] - empty[of]
  return [
    atMost(2, 'Start with 100,000 hosts', 'seconds longer than with next to none', more('startMs') / 1000),
    atMost(
      1,
      'A deploy a second among 100,000 hosts',
      'seconds to be seen by two processes',
      full.slowestDeployMs / 1000,
    ),
    atMost(50, '/livez during these deploys', 'ms slower than with next to none', more('slowestLivezMs')),
    atMost(100, 'Memory with 100,000 hosts', 'MB more than with next to none', more('megabytes')),
  ]
}

const atLeast = (least: number, work: string, unit: string, found: number): Goal => ({
  work,
  goal: `at least ${least} ${unit}`,
  found,
  unit,
  met: found >= least,
})

const atMost = (most: number, work: string, unit: string, found: number): Goal => ({
  work,
  goal: `at most ${most} ${unit}`,
  found,
  unit,
  met: found <= most,
})
