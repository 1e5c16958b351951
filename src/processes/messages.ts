import cluster from 'node:cluster'
import type { Readiness } from '../http/readiness.ts'

/** `withStore`: with the metrics that every process would read from the database alike. */
export type Question = { about: 'readiness' } | { about: 'metrics'; withStore: boolean }
export type Report = { readiness?: Readiness; metrics?: string }

/** Messages of the parent to a process. */
export type Order =
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

/** Returns false without a parent. */
export function notifyParent(notice: Notice): Promise<boolean> {
  const { worker } = cluster
  if (!worker?.isConnected()) return Promise.resolve(false)
  return new Promise(resolve => worker.send(notice, error => resolve(error === null)))
}
