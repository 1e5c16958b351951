import cluster from 'node:cluster'
import type { Service } from '../service.ts'
import { type Command, notifyParent, type Question, type Report } from './messages.ts'

/**
 * Lets the parent decide when this process ends. If somebody sends SIGTERM or SIGINT to this process, the process only
 * asks the parent for a replacement.
 */
export function obeyParent(
  { reports, stop, handOver }: Service,
  end: (withinSeconds: number, stop: () => Promise<void>) => void,
): void {
  async function reportOn(question: Question): Promise<Report> {
    if (!reports) return {}
    if (question.about === 'readiness') return { readiness: await reports.readiness() }
    const texts = [reports.ofProcess(), question.withStore ? reports.ofStore() : '']
    return { metrics: (await Promise.all(texts)).join('') }
  }

  async function sendLastMetrics(): Promise<void> {
    if (reports) await notifyParent({ act: 'last metrics', metrics: await reports.ofProcess() })
  }

  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => notifyParent({ act: 'replace me' }))
  cluster.worker?.on('message', async (command: Command) => {
    if (command.act === 'end')
      end(command.serveOnSeconds, () => stop(command.serveOnSeconds).finally(sendLastMetrics))
    else if (command.act === 'hand over')
      end(command.idleSeconds, () => handOver(command.idleSeconds).finally(sendLastMetrics))
    else await notifyParent({ act: 'report', id: command.id, report: await reportOn(command.question) })
  })
  notifyParent({ act: 'obeys' })
}
