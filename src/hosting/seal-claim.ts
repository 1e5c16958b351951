import { StoreError } from '../core/errors.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { Logger } from '../tools/log.ts'
import { opensAny } from './private-keys.ts'
import { makeSeal, type Seal } from './seal.ts'
import type { SecretsKeys } from './secrets-key.ts'

/**
 * The seal of this process. `close` calls `requireKey` first, so that this process seals no secret that the other
 * processes cannot open.
 */
export type ClaimedSeal = Omit<Seal, 'close'> & {
  close(secret: string, label: string): Promise<Uint8Array<ArrayBuffer>>
  /** Throws if the database is sealed with a key that this process lacks. */
  requireKey(): Promise<void>
  /** Returns why this process may neither seal nor open; null if it may. */
  refusal(): string | null
}

export function openSeal(db: PrismaClient, keys: SecretsKeys, log: Logger): ClaimedSeal {
  let refused: { reason: string; fingerprints: string } | null = null
  const seal = () => makeSeal(keys.read())
  const fingerprints = () => seal().fingerprints().join()
  /** A refusal counts only for the keys that it was about, because SIGHUP may have replaced the keys since. */
  const refusal = () => (refused !== null && refused.fingerprints === fingerprints() ? refused.reason : null)
  const isClaimedByUs = (fingerprint: string | undefined) =>
    fingerprint !== undefined && seal().fingerprints().includes(fingerprint)

  async function requireKey(): Promise<void> {
    while (refusal() === null) {
      // SIGHUP may replace the keys during the claim. Then the next round claims with the new keys.
      const claiming = fingerprints()
      if (await claim()) return
      const reason = `The private keys in the database are encrypted with another key: ${keys.whose}. Give all processes the same SECRETS_KEY (docs/domains.md), and start this process again`
      refused = { reason, fingerprints: claiming }
      log.error(reason)
    }
    throw new StoreError(
      'unavailable',
      'This process lacks the key that decrypts the private keys of certificates; another process may have this key.',
      {
        retryAfterSeconds: 1,
      },
    )
  }

  /**
   * Returns true if this process may seal. The claim of the database is the stored fingerprint of the key that seals.
   * If the database has no claim, this process stores the fingerprint of its first key as the claim, unless its keys
   * open none of the stored private keys. Reads the claim at each call, because a database restored from a backup may
   * have lost the claim.
   */
  async function claim(): Promise<boolean> {
    const claimed = await readClaim(db)
    if (isClaimedByUs(claimed)) return true
    const opens = await opensAny(db, seal())
    // If the claim is for a key that this process lacks, this process may seal only if its keys open at least one
    // stored private key: in this case the operator is replacing the keys. Some stored private keys may not open with
    // the new keys. The job that seals all rows again reports these private keys.
    if (claimed !== undefined || opens === false) return opens === true
    const made = keys.readOrMake()
    const [fingerprint = ''] = seal().fingerprints()
    await db.secretsKey.createMany({ data: [{ fingerprint }], skipDuplicates: true })
    const isOurs = isClaimedByUs(await readClaim(db))
    if (isOurs) made.keep()
    else made.forget()
    return isOurs
  }

  return {
    requireKey,
    refusal,
    async close(secret, label) {
      await requireKey()
      return seal().close(secret, label)
    },
    open: (sealed, label) => seal().open(sealed, label),
    keyOf: (sealed, label) => seal().keyOf(sealed, label),
    fingerprints: () => seal().fingerprints(),
  }
}

const readClaim = async (db: PrismaClient) => (await db.secretsKey.findFirst())?.fingerprint
