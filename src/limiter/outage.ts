import { ReplyError } from 'ioredis'

/** Redis cannot be asked, or refuses to count: the only failure that is answered by counting in memory. */
export class Outage extends Error {
  /** Redis itself says so, so that nobody has to ask again to be sure. */
  readonly saidByRedis: boolean

  constructor(message: string, saidByRedis = false) {
    super(message)
    this.saidByRedis = saidByRedis
  }
}

/** What Redis says of its own state; older ones say it behind the place in the script. */
const ownState =
  /(?:^|[ -])(?:CLUSTERDOWN|LOADING|READONLY|OOM|MISCONF|MASTERDOWN|NOREPLICAS|BUSY|TRYAGAIN|MOVED|ASK|NOAUTH|WRONGPASS|NOPERM|ERR max number of clients)\b/
const bugs = [TypeError, RangeError, ReferenceError]

/** Throws what a command failed with: as an outage, unless it is a bug of ours like a script that breaks. */
export function outageOr(error: unknown): never {
  const saidByRedis = error instanceof ReplyError
  const isBug = saidByRedis ? !ownState.test(messageOf(error)) : bugs.some(kind => error instanceof kind)
  throw isBug ? error : new Outage(messageOf(error), saidByRedis)
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
