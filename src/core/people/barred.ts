import type { Db } from '../db.ts'
import { hashSecret } from '../secrets.ts'

type IssuerIdentity = { issuer: string; subject: string }

/**
 * Lets a former member join again only by an invitation. Stores only a hash of the identity, which does not reveal the
 * person's name.
 */
export async function barIdentity(tx: Db, projectId: number, personId: string): Promise<void> {
  const identity = await identityOf(tx, personId)
  if (!identity) return
  const data = [{ projectId, hash: hashOfIdentity(identity) }]
  await tx.barredIdentity.createMany({ data, skipDuplicates: true })
}

/** Forgets that somebody is a former member. */
export async function admitIdentity(tx: Db, projectId: number, personId: string): Promise<void> {
  const identity = await identityOf(tx, personId)
  if (identity) await tx.barredIdentity.deleteMany({ where: { projectId, hash: hashOfIdentity(identity) } })
}

async function identityOf(tx: Db, personId: string): Promise<IssuerIdentity | null> {
  const { issuer, subject } = (await tx.person.findUnique({ where: { id: personId } })) ?? {}
  return issuer && subject ? { issuer, subject } : null
}

export const hashOfIdentity = ({ issuer, subject }: IssuerIdentity) =>
  new Uint8Array(hashSecret(`${issuer}\n${subject}`))
