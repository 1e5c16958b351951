import { once } from 'node:events'
import { Redis } from 'ioredis'
import { expect, it } from 'vitest'
import { openBell } from '../../src/hosting/host-signal.ts'
import { freshRedis } from '../support/databases.ts'

it('a bell rung by one process is heard by another', async ({ skip }) => {
  const url = await freshRedis()
  if (!url) return skip('redis-server is not installed')
  const [here, there] = [new Redis(url), new Redis(url)]
  const [ringing, listening] = [openBell(here), openBell(there)]
  const heard = new Promise<string>(resolve => listening.onRing(() => resolve('heard')))
  await Promise.all([once(here, 'ready'), once(there, 'ready')])

  // A bell that nobody listens to yet is missed, as it may be.
  const ringer = setInterval(ringing.ring, 20)

  expect(await heard).toBe('heard')
  clearInterval(ringer)
  for (const bell of [ringing, listening]) bell.close()
  for (const redis of [here, there]) redis.disconnect()
})

it('without a Redis there is no bell, and nothing breaks', () => {
  const bell = openBell(null)

  expect(() => bell.ring()).not.toThrow()
  bell.close()
})
