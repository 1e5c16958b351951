import { randomBytes } from 'node:crypto'
import type { Challenge, Prisma, PrismaClient } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import type { Db } from '../db.ts'
import { hashSecret } from '../secrets.ts'

const minuteMs = 60 * 1000
/** A sign-in at the issuer may need a password and a second factor. */
const lifetimesMs = {
  'passkey to sign in': 5 * minuteMs,
  'passkey to add': 5 * minuteMs,
  'sign-in at the issuer': 10 * minuteMs,
}

/** A challenge for a sign-in cannot be used to add a passkey, or the other way round. */
export type Purpose = keyof typeof lifetimesMs

/** Makes a random value that must come back once within minutes. The database knows its hash, so any process can take it. */
export async function makeChallenge(
  db: Db,
  clock: Clock,
  purpose: Purpose,
  personId: string | null = null,
  data: Prisma.InputJsonObject = {},
): Promise<Buffer> {
  const value = randomBytes(32)
  await db.challenge.create({
    data: {
      ...{ purpose, personId, data },
      hash: hashOf(value.toString('base64url')),
      expiresAt: new Date(clock.now() + lifetimesMs[purpose]),
    },
  })
  return value
}

/** Takes a challenge. Returns null if there is none: it was taken before, has expired, or is for something else. */
export function takeChallenge(
  db: PrismaClient,
  clock: Clock,
  purpose: Purpose,
  value: string,
): Promise<Challenge | null> {
  return db.$transaction(async tx => {
    const hash = hashOf(value)
    const found = await tx.challenge.findUnique({ where: { hash } })
    // If several requests use one challenge, the database lets one of them delete it.
    const { count } = await tx.challenge.deleteMany({ where: { hash, purpose } })
    return found && count === 1 && found.expiresAt.getTime() > clock.now() ? found : null
  })
}

const hashOf = (value: string) => new Uint8Array(hashSecret(value))
