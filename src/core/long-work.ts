import { setTimeout as pause } from 'node:timers/promises'
import { othersAreAtWork } from '../database/pieces.ts'
import type { Places } from '../limiter/places.ts'
import type { Project } from './project.ts'

const askAgainMs = 25
/** Then the work begins anyway: the place may belong to a process that was killed. */
const longestWaitMs = 5_000

/**
 * Runs long work of a project. While other projects are at work, one process at a time runs it: each of several processes
 * would keep a core busy. A project without neighbours may use all of them.
 */
export async function inOneProcess<Result>(
  places: Pick<Places, 'take'>,
  kind: 'changes' | 'imports',
  { id }: Pick<Project, 'id'>,
  run: () => Promise<Result>,
): Promise<Result> {
  const giveBack = await takePlace(places, `${kind}:${id}`, id)
  try {
    return await run()
  } finally {
    giveBack?.()
  }
}

async function takePlace(places: Pick<Places, 'take'>, subject: string, owner: number) {
  const endsAt = performance.now() + longestWaitMs
  while (othersAreAtWork(owner) && performance.now() < endsAt) {
    const giveBack = await places.take(subject, 1)
    if (giveBack) return giveBack
    await pause(askAgainMs)
  }
  return null
}
