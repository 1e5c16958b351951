import type { PetStatus, PrismaClient } from '../../src/generated/prisma/client.ts'

export type Context = { prisma: PrismaClient; projectId: number }

export const typeDefs = `#graphql
  enum PetStatus { available pending sold }
  type Pet { id: ID! name: String! categoryId: ID! status: PetStatus }
  type PageInfo { hasNextPage: Boolean! }
  type PetConnection { nodes: [Pet!]! pageInfo: PageInfo! }
  input NewPet { name: String! categoryId: ID! status: PetStatus }
  type Query { pets(first: Int = 20, after: String, status: PetStatus): PetConnection! }
  input PetChange { name: String categoryId: ID status: PetStatus }
  type Mutation {
    createPet(input: NewPet!): Pet!
    updatePet(petId: ID!, input: PetChange!): Pet
  }
`

type Page = { first: number; after?: string; status?: PetStatus }
type PetChange = { name?: string; categoryId?: string; status?: PetStatus | null }
type NewPet = { name: string; categoryId: string; status?: PetStatus }

export const resolvers = {
  Pet: {
    id: (pet: { id: bigint }) => String(pet.id),
    categoryId: (pet: { categoryId: bigint }) => String(pet.categoryId),
  },
  Query: {
    async pets(_: unknown, { first, after, status }: Page, { prisma, projectId }: Context) {
      const found = await prisma.pet.findMany({
        where: { projectId, status, id: { gt: BigInt(after ?? '0') } },
        orderBy: { id: 'asc' },
        take: first + 1,
      })
      return { nodes: found.slice(0, first), pageInfo: { hasNextPage: found.length > first } }
    },
  },
  Mutation: {
    createPet(_: unknown, { input }: { input: NewPet }, { prisma, projectId }: Context) {
      const { name, categoryId, status } = input
      return prisma.pet.create({ data: { projectId, name, categoryId: BigInt(categoryId), status } })
    },
    updatePet(
      _: unknown,
      { petId, input }: { petId: string; input: PetChange },
      { prisma, projectId }: Context,
    ) {
      const { name, categoryId, status } = input
      return prisma.pet.update({
        where: { projectId_id: { projectId, id: BigInt(petId) } },
        data: { name, categoryId: categoryId === undefined ? undefined : BigInt(categoryId), status },
      })
    },
  },
}
