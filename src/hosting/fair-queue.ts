export type Turns = { join(): Turn }
/** Runs the function when its turn comes. Throws if `deadline`, a time of performance.now(), passes first. */
export type Turn = <Result>(deadline: number, run: () => Promise<Result>) => Promise<Result>

type Member = { running: number; waiting: (() => void)[] }

/**
 * Limits the number of running functions. The member with the fewest running functions goes first, so a member with a
 * thousand slow functions does not delay a member with one.
 */
export function openFairTurns(most: number): Turns {
  const queue = new Set<Member>()
  let running = 0

  function startNext(): void {
    if (running >= most) return
    let next: Member | undefined
    for (const member of queue) if (!next || member.running < next.running) next = member
    const start = next?.waiting.shift()
    if (next?.waiting.length === 0) queue.delete(next)
    start?.()
  }

  function waitForTurn(member: Member, deadline: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timeout)
        running++
        member.running++
        resolve()
      }
      const giveUp = () => {
        member.waiting.splice(member.waiting.indexOf(start), 1)
        if (member.waiting.length === 0) queue.delete(member)
        reject(new Error('timed out'))
      }
      const timeout = setTimeout(giveUp, Math.max(0, deadline - performance.now()))
      member.waiting.push(start)
      queue.add(member)
      startNext()
    })
  }

  return {
    join() {
      const member: Member = { running: 0, waiting: [] }
      return async (deadline, run) => {
        await waitForTurn(member, deadline)
        try {
          return await run()
        } finally {
          running--
          member.running--
          startNext()
        }
      }
    },
  }
}
