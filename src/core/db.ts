import type { Prisma, PrismaClient } from '../generated/prisma/client.ts'

/** The database, or a transaction on it, as the caller chooses. */
export type Db = PrismaClient | Prisma.TransactionClient
