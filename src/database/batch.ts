import DataLoader from 'dataloader'
import { askingSpan, shareStatement } from '../tools/tracing.ts'
import { noProject, ownerNow, runFor } from './owner.ts'

/** Two, so that PostgreSQL runs one statement while the next one is on its way. */
const mostStatements = 2
const mostQuestions = 100
/**
 * A batch with fewer than `enoughQuestions` waits up to `mostTurns` turns of the event loop for more questions. The
 * wait is short under load, and takes no time when the process is idle.
 */
const enoughQuestions = 4
const mostTurns = 6
/** A batch waits at most this long for a running statement, in milliseconds. */
const timeoutMs = 25

type Waiting<Question> = { question: Question; span: ReturnType<typeof askingSpan>; owner: number }

/**
 * Batches questions to the database: while statements run, new questions wait and then share the next statement. A
 * single question is sent at once. Under load, a shared statement takes a quarter of the time of separate statements.
 */
export function batch<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<Answer[]>,
): (question: Question) => Promise<Answer> {
  let questionsWaiting = 0
  let statementsUnderWay = 0
  // An array, not a Set. A Set that is often added to and deleted from replaces its table again and again, and each
  // replaced table keeps answers in memory until the next full garbage collection.
  const batchesWaiting: (() => void)[] = []

  const loader = new DataLoader<Waiting<Question>, Answer>(
    async waiting => {
      questionsWaiting -= waiting.length
      statementsUnderWay++
      try {
        return await shareStatement(
          waiting.map(({ span }) => span),
          () => runFor(ownerOf(waiting), () => ask(waiting.map(({ question }) => question))),
        )
      } finally {
        statementsUnderWay--
        batchesWaiting.shift()?.()
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
      send()
    }
    const timer = setTimeout(() => {
      batchesWaiting.splice(batchesWaiting.indexOf(go), 1)
      send()
    }, timeoutMs)
    batchesWaiting.push(go)
  }

  return question => {
    questionsWaiting++
    return loader.load({ question, span: askingSpan(), owner: ownerNow() })
  }
}

/** Returns the owner of a statement. A statement for several projects belongs to none of them. */
function ownerOf<Question>([first, ...others]: readonly Waiting<Question>[]): number {
  return first && others.every(({ owner }) => owner === first.owner) ? first.owner : noProject
}
