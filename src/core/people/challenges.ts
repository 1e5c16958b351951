import { randomBytes } from 'node:crypto'
import { batch } from '../../database/batch.ts'
import type { Challenge, Prisma, PrismaClient } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { minuteMs } from '../../tools/durations.ts'
import { hashSecret } from '../secrets.ts'

/**
 * The time for which each challenge is valid. A sign-in at the issuer gets more time, because the issuer may ask for a
 * password and a second factor.
 */
const lifetimesMs = {
  'passkey to sign in': 5 * minuteMs,
  'passkey to add': 5 * minuteMs,
  'sign-in at the issuer': 10 * minuteMs,
}

/**
 * A challenge made for a sign-in cannot be used to add a passkey, and a challenge made to add a passkey cannot be used
 * for a sign-in.
 */
export type Purpose = keyof typeof lifetimesMs

export type Challenges = {
  /**
   * Makes a random value that the client must send back once within minutes. The database stores its hash, so any
   * process can check the value.
   */
  make(purpose: Purpose, personId?: string | null, data?: Prisma.InputJsonObject): Promise<Buffer>
  /**
   * Uses up a challenge. Returns null if the challenge is unknown, was used before, has expired, or was made for
   * another purpose.
   */
  take(purpose: Purpose, value: string): Promise<Challenge | null>
}

/**
 * Concurrent sign-ins share one statement and one commit. This sharing limits the load on the database, because
 * strangers may begin any number of sign-ins.
 */
export function openChallenges(db: PrismaClient, clock: Clock): Challenges {
  const add = batch(async (rows: readonly Prisma.ChallengeCreateManyInput[]) => {
    await db.challenge.createMany({ data: [...rows] })
    return rows.map(() => null)
  })
  const find = batch(async (hashes: readonly Uint8Array<ArrayBuffer>[]) => {
    const found = await db.challenge.findMany({ where: { hash: { in: [...hashes] } } })
    return hashes.map(hash => found.find(each => Buffer.from(each.hash).equals(hash)) ?? null)
  })

  return {
    async make(purpose, personId = null, data = {}) {
      const value = randomBytes(32)
      await add({
        ...{ purpose, personId, data },
        hash: hashOf(value.toString('base64url')),
        expiresAt: new Date(clock.now() + lifetimesMs[purpose]),
      })
      return value
    },

    async take(purpose, value) {
      const hash = hashOf(value)
      // Find the challenge before deleting it: a guessed value then costs only a read, which concurrent requests share,
      // and no write.
      const found = await find(hash)
      if (!found) return null
      // If several requests use one challenge, the database lets one of them delete it.
      const { count } = await db.challenge.deleteMany({ where: { hash, purpose } })
      return count === 1 && found.expiresAt.getTime() > clock.now() ? found : null
    },
  }
}

const hashOf = (value: string) => new Uint8Array(hashSecret(value))
