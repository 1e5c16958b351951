import DataLoader from 'dataloader'

/** One that PostgreSQL works on, and one on its way. */
const mostUnderWay = 2
const mostTogether = 100
/** Fewer questions wait some turns of the event loop for others: a moment under load, and next to no time without. */
const enoughTogether = 4
const mostTurns = 6
/** A statement that takes longer than this holds nobody up. */
const patienceMs = 25

/**
 * Puts questions to the database together: one that comes while earlier statements are under way waits for the next one
 * and shares it. A question alone goes at once; of many at once, each costs a quarter of a statement of its own.
 */
export function batch<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<Answer[]>,
): (question: Question) => Promise<Answer> {
  let waiting = 0
  let underWay = 0
  const held = new Set<() => void>()

  const loader = new DataLoader<Question, Answer>(
    async questions => {
      waiting -= questions.length
      underWay++
      try {
        return await ask(questions)
      } finally {
        underWay--
        const [next] = held
        next?.()
      }
    },
    {
      cache: false,
      maxBatchSize: mostTogether,
      batchScheduleFn: run => afterTurns(mostTurns, () => (underWay < mostUnderWay ? run() : hold(run))),
    },
  )

  function afterTurns(turns: number, go: () => void): void {
    setImmediate(() => (turns > 1 && waiting < enoughTogether ? afterTurns(turns - 1, go) : go()))
  }

  function hold(run: () => void): void {
    const go = () => {
      clearTimeout(timer)
      if (held.delete(go)) run()
    }
    const timer = setTimeout(go, patienceMs)
    held.add(go)
  }

  return question => {
    waiting++
    return loader.load(question)
  }
}
