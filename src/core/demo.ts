import type { Clock } from '../tools/clock.ts'
import { type IssuedApiKey, issueApiKey, scopes } from './api-keys.ts'
import type { Db } from './db.ts'
import type { PetStatus } from './pets.ts'
import { toProject } from './projects.ts'

const demoSlug = 'demo'

/** A project to try everything with, on a plan that may have domains of its own. */
export async function createDemo(db: Db): Promise<void> {
  const { id: projectId } = await db.project.create({
    data: { slug: demoSlug, name: 'Demo store', planName: 'pro' },
  })
  const statuses: (PetStatus | null)[] = ['available', 'available', 'pending', 'available', 'sold', null]
  const pets = demoPets.flatMap(([categoryId, names]) => names.map(name => ({ projectId, categoryId, name })))
  await db.pet.createMany({
    data: pets.map((pet, i) => ({ ...pet, status: statuses[i % statuses.length] ?? null })),
  })
}

/** A key with every scope for the demo project, or null where there is no such project. */
export async function issueDemoKey(db: Db, clock: Clock): Promise<IssuedApiKey | null> {
  const row = await db.project.findUnique({ where: { slug: demoSlug }, include: { plan: true } })
  return row && issueApiKey(db, clock, toProject(row), { name: 'Owner', scopes })
}

const demoPets: [categoryId: bigint, names: string[]][] = [
  [1n, ['Biscuit', 'Waffles', 'Luna', 'Bruno', 'Pepper', 'Hazel', 'Otis', 'Maple', 'Rufus']],
  [2n, ['Miso', 'Clementine', 'Shadow', 'Ginger', 'Professor Whiskers', 'Nori', 'Pumpkin', 'Olive', 'Tofu']],
  [3n, ['Thumper', 'Clover', 'Marshmallow', 'Hopscotch', 'Juniper', 'Cinnamon']],
  [4n, ['Kiwi', 'Captain Beaky', 'Mango', 'Blue', 'Figaro', 'Paloma']],
  [5n, ['Bubbles', 'Neptune', 'Coral', 'Sushi Is Not My Name']],
  [6n, ['Sheldon', 'Spike', 'Noodle', 'Ziggy']],
]
