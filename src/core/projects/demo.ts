import type { Pet } from '../../generated/prisma/client.ts'
import type { PetStatus } from '../../generated/prisma/enums.ts'
import type { Clock } from '../../tools/clock.ts'
import type { Db } from '../db.ts'
import { addApiKey, type IssuedApiKey } from '../keys/api-keys.ts'
import { scopes } from '../keys/scopes.ts'
import { toProject } from '../project.ts'

const demoSlug = 'demo'

/** Creates a demo project, on a plan that includes custom domains. */
export async function createDemo(db: Db): Promise<void> {
  const { id: projectId } = await db.project.create({
    data: { slug: demoSlug, name: 'Demo store', planName: 'pro' },
  })
  const statuses: (PetStatus | null)[] = ['available', 'available', 'pending', 'available', 'sold', null]
  const names = demoPets.flatMap(([, id, pets]) => pets.map(name => ({ projectId, categoryId: id, name })))
  await db.category.createMany({ data: demoPets.map(([name, id]) => ({ projectId, id, name })) })
  const pets = await db.pet.createManyAndReturn({
    data: names.map((pet, i) => ({ ...pet, status: statuses[i % statuses.length] ?? null })),
  })
  await createOrders(db, projectId, pets)
}

/** Creates an order for each pending or sold pet, and a cancelled order for every third available pet. */
async function createOrders(db: Db, projectId: number, pets: Pet[]): Promise<void> {
  const placedAt = new Date()
  const orders = pets.flatMap(({ id: petId, name: petName, categoryId, status }, i) => {
    const order = { projectId, petId, petName, categoryId, formerStatus: 'available' as const, placedAt }
    if (status === 'sold')
      return { ...order, status: 'delivered' as const, approvedAt: placedAt, deliveredAt: placedAt }
    if (status === 'pending')
      return i % 4 === 0
        ? { ...order, status: 'approved' as const, approvedAt: placedAt }
        : { ...order, status: 'placed' as const }
    return i % 9 === 0 ? { ...order, status: 'cancelled' as const, cancelledAt: placedAt } : []
  })
  const made = await db.order.createManyAndReturn({
    data: orders.map((order, i) => ({ ...order, reference: `web-${1001 + i}` })),
  })
  for (const { id, petId, status } of made) {
    if (status !== 'placed' && status !== 'approved') continue
    await db.pet.updateMany({ where: { projectId, id: petId }, data: { openOrderId: id } })
  }
}

/** Issues a key with every scope for the demo project. Returns null if there is no such project. */
export async function issueDemoKey(db: Db, clock: Clock): Promise<IssuedApiKey | null> {
  const row = await db.project.findUnique({ where: { slug: demoSlug }, include: { plan: true } })
  return row && addApiKey(db, clock, toProject(row), { name: 'Owner', scopes })
}

const demoPets: [category: string, categoryId: bigint, pets: string[]][] = [
  ['Dogs', 1n, ['Biscuit', 'Waffles', 'Luna', 'Bruno', 'Pepper', 'Hazel', 'Otis', 'Maple', 'Rufus']],
  [
    'Cats',
    2n,
    ['Miso', 'Clementine', 'Shadow', 'Ginger', 'Professor Whiskers', 'Nori', 'Pumpkin', 'Olive', 'Tofu'],
  ],
  ['Rabbits', 3n, ['Thumper', 'Clover', 'Marshmallow', 'Hopscotch', 'Juniper', 'Cinnamon']],
  ['Birds', 4n, ['Kiwi', 'Captain Beaky', 'Mango', 'Blue', 'Figaro', 'Paloma']],
  ['Fish', 5n, ['Bubbles', 'Neptune', 'Coral', 'Sushi Is Not My Name']],
  ['Reptiles', 6n, ['Sheldon', 'Spike', 'Noodle', 'Ziggy']],
]
