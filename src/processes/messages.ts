import cluster from 'node:cluster'
import type { Readiness } from '../http/readiness.ts'

/** `withStore` includes metrics of the database, which are the same in every process. */
export type Question = { about: 'readiness' } | { about: 'metrics'; withStore: boolean }
export type Report = { readiness?: Readiness; metrics?: string }

/** Messages of the parent to a process. */
export type Command =
  | { act: 'end'; serveOnSeconds: number }
  | { act: 'hand over'; idleSeconds: number }
  | { act: 'report'; id: number; question: Question }

/** Messages of a process to the parent. */
export type Notice =
  | { act: 'obeys' }
  | { act: 'up' }
  | { act: 'refused'; refusal: string }
  | { act: 'replace me' }
  | { act: 'report'; id: number; report: Report }
  | { act: 'last metrics'; metrics: string }

/** Sends a message to the parent. Returns false if there is no parent or the channel is closed. */
export function notifyParent(notice: Notice): Promise<boolean> {
  const { worker } = cluster
  if (!worker?.isConnected()) return Promise.resolve(false)
  return new Promise(resolve => worker.send(notice, error => resolve(error === null)))
}
