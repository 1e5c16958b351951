import cluster from 'node:cluster'
import { announce, announcePractice, makeSignInLink } from './announce.ts'
import { readConfig } from './config.ts'
import { notifyParent } from './processes/messages.ts'
import { obeyParent } from './processes/worker.ts'
import { rereadSecrets } from './reread-secrets.ts'
import { type Part, type Service, startService } from './service.ts'
import { logWarnings, openLog } from './tools/log.ts'
import { hasLostTerminal } from './tools/terminal.ts'

/** In seconds: time for the shutdown after the draining. */
const patienceSeconds = 5
const warmUpAfterMs = 250
/**
 * In milliseconds: how long a `later` process waits for the database before the start of the process fails. Without
 * this limit, a roll-over would not end while a new process cannot reach the database. The old processes serve during
 * the roll-over.
 */
const laterWaitMs = 60_000

/** Serves in this process, until a signal or the parent ends it. */
export async function serve(): Promise<void> {
  const opened = Promise.withResolvers<Service>()
  // Without a listener, the signal would end the process. A signal during the start is handled when the start is done.
  process.on('SIGHUP', async () => {
    const { tools } = await opened.promise
    if (part !== 'alone' || !hasLostTerminal()) rereadSecrets(tools)
    // When a terminal is closed, the terminal sends SIGHUP, and the shell in the terminal sends SIGHUP again when the
    // shell ends. Shut down only at the first SIGHUP.
    else if (!isEnding) endAlone(0)
  })
  const isPractice = process.argv.includes('--practice')
  const env = isPractice ? await (await import('./practice/practice.ts')).practise(process.env) : process.env
  const config = readConfig(env)
  logWarnings(openLog(config.logLevel))
  const part = partOfThisProcess()
  const service = await startService(config, {
    part,
    isWarmAtOnce: config.warmUp && config.databaseUrl !== null,
    databaseWaitMs: part === 'later' ? laterWaitMs : Number.POSITIVE_INFINITY,
  })
  opened.resolve(service)
  let isEnding = false

  function end(withinSeconds: number, stop: () => Promise<void>): void {
    isEnding = true
    setTimeout(() => process.exit(1), (withinSeconds + patienceSeconds) * 1000).unref()
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  function endAlone(serveOnSeconds: number): void {
    if (isEnding) process.exit(1)
    end(serveOnSeconds, () => service.stop(serveOnSeconds))
  }

  if (part === 'alone') {
    // After Ctrl-C a person waits, and there is no balancer, so skip the draining.
    process.on('SIGTERM', () => endAlone(config.drainSeconds))
    process.on('SIGINT', () => endAlone(0))
  } else obeyParent(service, (seconds, stop) => isEnding || end(seconds, stop))

  try {
    await service.up
  } catch (error) {
    // If the service is stopped during the start, `up` may reject. The rejection is no failure, and `end` exits the
    // process.
    if (isEnding) return
    throw error
  }
  if (isEnding) return
  await notifyParent({ act: 'up' })
  if (part === 'later') return
  announce(service.tools, await makeSignInLink(service.tools))
  if (isPractice) announcePractice(service.tools)
  // If the database is embedded, a person probably waits for the first answers. So serve the first requests before the
  // warm-up, which would delay their answers.
  if (config.warmUp && service.tools.database.isEmbedded) setTimeout(service.warmUp, warmUpAfterMs).unref()
}

function partOfThisProcess(): Part {
  if (!cluster.worker) return 'alone'
  return cluster.worker.id === 1 ? 'first' : 'later'
}
