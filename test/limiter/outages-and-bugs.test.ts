import { ReplyError } from 'ioredis'
import { expect, it } from 'vitest'
import { outageOr, RedisOutage } from '../../src/limiter/circuit.ts'

function thrownOf(error: unknown): unknown {
  try {
    outageOr(error)
  } catch (thrown) {
    return thrown
  }
}
const replyOf = (message: string) => new (ReplyError as unknown as new (message: string) => Error)(message)

it.each([new TypeError('a bug'), new RangeError('a bug'), new ReferenceError('a bug')])(
  'a bug of ours is no outage: %s',
  bug => {
    expect(thrownOf(bug)).toBe(bug)
  },
)

it('a command that cannot reach Redis is an outage', () => {
  for (const fault of [new Error('Connection is closed.'), 'Connection is closed.']) {
    const outage = thrownOf(fault)

    expect(outage).toBeInstanceOf(RedisOutage)
    expect(outage).toMatchObject({ message: 'Connection is closed.', saidByRedis: false })
  }
})

it('an error in which Redis reports its own state is an outage, and any other error is not', () => {
  expect(thrownOf(replyOf('READONLY You cannot write'))).toMatchObject({
    message: 'READONLY You cannot write',
    saidByRedis: true,
  })
  const refused = replyOf('ERR wrong number of arguments')
  expect(thrownOf(refused)).toBe(refused)
})
