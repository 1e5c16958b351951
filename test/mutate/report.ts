import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Mutation, roomOf } from './mutations.ts'

export type Result = { mutation: Mutation; noticed: boolean }
/**
 * `isListed` is true if the given bug overlaps in the code with a bug in a list of test/mutate/chosen. Some tests may
 * have been written for a listed bug. So the report also has separate counts of the bugs that are in no list.
 */
type About = { commit: string; command: string; isListed: (mutation: Mutation) => boolean }

/**
 * The report is written into this file. A new report keeps the parts that people wrote: the judgement of each unnoticed
 * bug, and the part `Chosen by people` at the end of the file.
 */
const place = 'test/mutations.md'
const unjudged = 'not judged yet'
const ofPeople = '## Chosen by people'

export function writeReport(results: Result[], about: About): void {
  const judged = sentencesBefore()
  const text = readBefore()
  const chosen = text.includes(ofPeople) ? text.slice(text.indexOf(ofPeople)) : ''
  const unlisted = results.filter(({ mutation }) => !about.isListed(mutation))
  const unnoticed = results.filter(({ noticed }) => !noticed)
  writeFileSync(
    place,
    [
      '# Bugs put in on purpose, and which the tests noticed',
      '',
      '## Drawn',
      '',
      `At commit ${about.commit}, by \`${about.command}\`: ${summary(results)}. Bugs in no list: ${summary(unlisted)}.`,
      '',
      '| room | noticed | of | in no list: noticed | of |',
      '|---|---|---|---|---|',
      ...byRoom(results).map(([room, noticed, all]) => {
        const [, noticedUnlisted, ofUnlisted] = byRoom(unlisted).find(([name]) => name === room) ?? [
          room,
          0,
          0,
        ]
        return `| ${room} | ${noticed} | ${all} | ${noticedUnlisted} | ${ofUnlisted} |`
      }),
      '',
      '## Unnoticed',
      '',
      'Equivalent: the bug changes nothing that a user or an operator can see. Accepted: the reason why no test fails on it.',
      '',
      '| where | bug | judged |',
      '|---|---|---|',
      ...unnoticed.map(({ mutation }) => {
        const row = rowOf(mutation)
        return `${row} ${judged.get(row) ?? unjudged} |`
      }),
      '',
      chosen,
    ].join('\n'),
  )
}

export function summary(results: Result[]): string {
  return `${results.filter(({ noticed }) => noticed).length} of ${results.length} noticed`
}

export function byRoom(results: Result[]): [room: string, noticed: number, all: number][] {
  const rooms = Map.groupBy(results, ({ mutation }) => roomOf(mutation))
  return [...rooms].map(([room, of]) => [room, of.filter(({ noticed }) => noticed).length, of.length])
}

export function describe({ kind, inFunction, before, replacement }: Mutation): string {
  if (kind === 'chosen') return inFunction
  const short = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 70) || 'nothing'
  return `${kind}: ${short(before)} → ${short(replacement)}`
}

/** Omits the line number, because every edit further up in the file changes it. */
function rowOf(mutation: Mutation): string {
  const bug = describe(mutation).replaceAll('|', '\\|')
  return `| ${mutation.file} ${mutation.inFunction} | \`${bug}\` |`
}

const readBefore = () => (existsSync(place) ? readFileSync(place, 'utf8') : '')

function sentencesBefore(): Map<string, string> {
  const rows = readBefore().matchAll(/^(\| (?:src|clients|prisma)\/.*` \|) (.*) \|$/gm)
  return new Map([...rows].map(([, row = '', sentence = '']) => [row, sentence]))
}
