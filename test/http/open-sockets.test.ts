import { once } from 'node:events'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { trackOpenSockets } from '../../src/http/open-sockets.ts'

it('open sockets are found by the name under which they were added until they close, and the name is listed until its last socket closes', async () => {
  const open = trackOpenSockets()
  const [first, second] = [new Socket(), new Socket()]
  open.add('a', first)
  open.add('a', second)

  expect([...open.of('a')]).toEqual([first, second])
  expect([open.of('b').size, open.names()]).toEqual([0, ['a']])

  await once(first.destroy(), 'close')
  expect([...open.of('a')]).toEqual([second])

  await once(second.destroy(), 'close')
  expect([open.of('a').size, open.names()]).toEqual([0, []])
})
