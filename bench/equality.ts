// Compares the answers of the contestants before any contestant is timed. All answers must have the same bytes.

import type { Request } from './clients.ts'
import type { Ground } from './ground.ts'
import type { Question } from './questions.ts'
import type { Running } from './start-contestant.ts'
import type { Work } from './works.ts'

const samples = 30
const apart = 7
/**
 * The number of the first question that the comparison does not send. Timed runs begin with it, because some operations
 * succeed only once.
 */
export const firstUnused = samples * apart

export async function checkEquality(work: Work, contestants: Running[], ground: Ground): Promise<number> {
  let compared = 0
  for (let n = 0; n < samples; n++) {
    const question = work.ask(n * apart, ground.size)
    const answers = new Map<string, string>()
    for (const contestant of contestants) {
      // The contestants `bare` and `bare+redis` always answer with the first page of project 1, so they are compared
      // only if the question asks for this page.
      const isFixed = contestant.name === 'bare' || contestant.name === 'bare+redis'
      if (isFixed && JSON.stringify(question) !== '{"act":"list","project":1}') continue
      if (n === 0) await prepare(question, contestant, ground)
      const answer = await askOnce(contestant, await contestant.dialect(question, ground.keys))
      answers.set(contestant.name, comparable(question, answer))
    }
    const [[first, expected] = ['', ''], ...others] = answers
    for (const [name, answer] of others) {
      if (answer !== expected) {
        throw new Error(`${work.title}: ${name} answers\n${answer}\nwhere ${first} answers\n${expected}`)
      }
      compared++
    }
    // A failed tool call also has status 200.
    const isRefusedTool = work.status === 200 && expected.includes('"isError":true')
    if (isRefusedTool || !expected.startsWith(`${expectedStatus(work, question)} `)) {
      throw new Error(`${work.title}: ${first} answers\n${expected}`)
    }
  }
  return compared
}

/** Before the comparison, registers a persisted query or uses up a day's limit if the question needs this. */
async function prepare(question: Question, contestant: Running, ground: Ground): Promise<void> {
  const before: Question[] =
    question.act === 'graphql-list' && question.persisted
      ? [{ ...question, persisted: 'register' }]
      : question.act === 'refused'
        ? ground.keys.refused.map((_, which) => ({ act: 'refused', which }))
        : []
  for (const first of before) await askOnce(contestant, await contestant.dialect(first, ground.keys))
}

/** In a mixed work, a create is answered with another status than a read. */
export const expectedStatus = (work: Work, question: Question) =>
  question.act === 'create' ? 201 : work.status

async function askOnce(contestant: Running, request: Request): Promise<{ status: number; body: string }> {
  const { method, path, headers, body } = request
  const url = `http://127.0.0.1:${contestant.port}${path}`
  const answer = await fetch(url, { method, headers, body: body ?? null })
  return { status: answer.status, body: (await answer.text()).trimEnd() }
}

/**
 * Ignores the ids and times of new rows, the wording of refusals, and the payload object that some contestants'
 * mutations put around a pet.
 */
function comparable(question: Question, { status, body }: { status: number; body: string }): string {
  if (question.act === 'refused' || question.act === 'wrong-key') {
    const { code } = JSON.parse(body) as { code: string }
    return `${status} ${code}`
  }
  if (question.act === 'import') return `${status} ${/"imported":\d+/.exec(body)?.[0]}`
  if (question.act === 'place') {
    return `${status} ${body.replace(/"id":\d+/, '"id":new').replace(/"placedAt":"[^"]{24}"/, '"placedAt":now')}`
  }
  const pet = body.replace(/"(createPet|updatePet)":\{"pet":(\{[^}]*\})(?:,"__typename":"\w+")?\}/, '"$1":$2')
  if (question.act !== 'create' && question.act !== 'graphql-create') return `${status} ${pet}`
  return `${status} ${pet.replace(/"id":("?)\d+\1/, '"id":new')}`
}
