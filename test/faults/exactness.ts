import { openClient } from './client.ts'
import type { Project } from './ground.ts'
import type { Store } from './stores.ts'

export const perMinute = 60
/** This number of requests is above the limit that the three processes share, but too small for a ban of the key. */
const requests = 150

/** Uses up a project's budget of a minute on all processes at once, and returns how many requests were accepted. */
export async function letThrough(stores: readonly Store[], { secret }: Project): Promise<number> {
  const client = openClient(secret)
  const answers = await Promise.all(
    Array.from({ length: requests }, (_, i) => client.ask(`${stores[i % stores.length]?.url}/v1/pets`)),
  )
  client.close()
  return answers.filter(({ status }) => status !== 429).length
}
