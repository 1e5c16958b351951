import DataLoader from 'dataloader'
import { askingSpan, shareStatement } from '../tools/tracing.ts'
import { nobody, ownerNow, runFor } from './owner.ts'

/** PostgreSQL works on one while another one is on its way there. */
const mostStatements = 2
const mostQuestions = 100
/**
 * A smaller batch waits some turns of the event loop for more questions: a moment under load, and no time when idle.
 */
const enoughQuestions = 4
const mostTurns = 6
/** The longest wait, in milliseconds, for a statement in progress. */
const patienceMs = 25

type Asked<Question> = { question: Question; span: ReturnType<typeof askingSpan>; owner: number }

/**
 * Queries the database in batches: questions that arrive while earlier statements are in progress wait for the next
 * statement and share it. A lone question is sent at once; under load a question costs a quarter of a statement of its
 * own.
 */
export function batch<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<Answer[]>,
): (question: Question) => Promise<Answer> {
  let questionsWaiting = 0
  let statementsUnderWay = 0
  const batchesWaiting = new Set<() => void>()

  const loader = new DataLoader<Asked<Question>, Answer>(
    async asked => {
      questionsWaiting -= asked.length
      statementsUnderWay++
      try {
        return await shareStatement(
          asked.map(({ span }) => span),
          () => runFor(ownerOf(asked), () => ask(asked.map(({ question }) => question))),
        )
      } finally {
        statementsUnderWay--
        const [next] = batchesWaiting
        next?.()
      }
    },
    {
      cache: false,
      maxBatchSize: mostQuestions,
      batchScheduleFn: send =>
        afterTurns(mostTurns, () => (statementsUnderWay < mostStatements ? send() : sendLater(send))),
    },
  )

  function afterTurns(turns: number, go: () => void): void {
    setImmediate(() => (turns > 1 && questionsWaiting < enoughQuestions ? afterTurns(turns - 1, go) : go()))
  }

  function sendLater(send: () => void): void {
    const go = () => {
      clearTimeout(timer)
      if (batchesWaiting.delete(go)) send()
    }
    const timer = setTimeout(go, patienceMs)
    batchesWaiting.add(go)
  }

  return question => {
    questionsWaiting++
    return loader.load({ question, span: askingSpan(), owner: ownerNow() })
  }
}

/** A statement for questions of several projects takes no place of any of them. */
function ownerOf<Question>([first, ...others]: readonly Asked<Question>[]): number {
  return first && others.every(({ owner }) => owner === first.owner) ? first.owner : nobody
}
