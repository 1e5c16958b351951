import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Mutation, roomOf } from './mutations.ts'

export type Result = { mutation: Mutation; noticed: boolean }

/** A sentence a person wrote about an unnoticed bug stays beside it as long as the bug is in the report. */
const place = 'test/mutations.md'
const unjudged = 'not judged yet'
/** The rest of the report is about bugs that people chose. */
const ofPeople = '## Chosen by people'

export function writeReport(results: Result[], about: { commit: string; command: string }): void {
  const judged = sentencesBefore()
  const text = readBefore()
  const chosen = text.includes(ofPeople) ? text.slice(text.indexOf(ofPeople)) : ''
  const unnoticed = results.filter(({ noticed }) => !noticed)
  writeFileSync(
    place,
    [
      '# Bugs put in on purpose, and which the tests noticed',
      '',
      `At commit ${about.commit}, by \`${about.command}\`: ${summary(results)}.`,
      '',
      '| room | noticed | of |',
      '|---|---|---|',
      ...byRoom(results).map(([room, noticed, all]) => `| ${room} | ${noticed} | ${all} |`),
      '',
      '## Unnoticed',
      '',
      'Each is judged in a sentence: it changes nothing that a user or operator can see (equivalent), or why it is accepted.',
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

/** Without the line, which moves with every change above it. */
function rowOf(mutation: Mutation): string {
  const bug = describe(mutation).replaceAll('|', '\\|')
  return `| ${mutation.file} ${mutation.inFunction} | \`${bug}\` |`
}

const readBefore = () => (existsSync(place) ? readFileSync(place, 'utf8') : '')

function sentencesBefore(): Map<string, string> {
  const rows = readBefore().matchAll(/^(\| src\/.*` \|) (.*) \|$/gm)
  return new Map([...rows].map(([, row = '', sentence = '']) => [row, sentence]))
}
