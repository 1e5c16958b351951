import type { Prisma, PrismaClient } from '../generated/prisma/client.ts'

/** The database, or a transaction on it. The caller decides which. */
export type Db = PrismaClient | Prisma.TransactionClient
