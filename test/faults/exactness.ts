import { openClient } from './client.ts'
import type { Project } from './ground.ts'
import type { Store } from './stores.ts'

export const perMinute = 60
/** Over three processes, and too few to have the key banned. */
const requests = 150

/** Uses up a project's minute on all processes at once, and says how many requests were let through. */
export async function letThrough(stores: readonly Store[], { secret }: Project): Promise<number> {
  const client = openClient(secret)
  const answers = await Promise.all(
    Array.from({ length: requests }, (_, i) => client.ask(`${stores[i % stores.length]?.url}/v1/pets`)),
  )
  client.close()
  return answers.filter(({ status }) => status !== 429).length
}
