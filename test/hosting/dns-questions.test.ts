import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import * as packet from 'dns-packet'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { checkCaa } from '../../src/hosting/caa.ts'
import { openDnsCheck } from '../../src/hosting/check-dns.ts'
import { type Dns, openDns } from '../../src/hosting/dns.ts'

const target = 'acme.animals.localhost'
const token = '01234567-89ab-cdef-0123-456789abcdef'
const mostQuestions = 300

describe('a lookup in a zone with 13 name servers', () => {
  let dns: Dns
  let asked: string[]
  /** Returns the TXT records of a name, or the target of its CNAME. */
  let txtOf: (name: string) => { text?: string; alias?: string }

  beforeEach(async () => {
    asked = []
    txtOf = () => ({})
    const server = createSocket('udp4')
    server.on('message', (message, from) => {
      const { id, questions } = packet.decode(message)
      const [question] = questions ?? []
      if (!question) return
      asked.push(`${question.name} ${question.type}`)
      const answers = answersTo(question).map(one => ({ ttl: 60, ...one }) as packet.Answer)
      const reply = {
        type: 'response',
        id: id ?? 0,
        flags: packet.AUTHORITATIVE_ANSWER,
        questions: [question],
      }
      server.send(packet.encode({ ...reply, answers } as packet.Packet), from.port, from.address)
    })
    server.bind(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    dns = openDns([server.address()])
  })

  function answersTo({ name, type }: packet.Question): object[] {
    if (name === 'shop.test' && type === 'NS')
      return Array.from({ length: 13 }, (_, n) => ({ name, type, data: `ns${n}.shop.test` }))
    if (/^ns\d+\.shop\.test$/.test(name) && type === 'A') return [{ name, type, data: '127.0.0.1' }]
    if (name === 'www.shop.test' && ['CNAME', 'A', 'AAAA'].includes(type))
      return [{ name, type: 'CNAME', data: target }]
    if (type !== 'TXT') return []
    const { text, alias } = txtOf(name)
    if (alias) return [{ name, type: 'CNAME', data: alias }]
    return text ? [{ name, type, data: text }] : []
  }

  const check = () => openDnsCheck(dns)('www.shop.test', target)

  test('a zone whose servers answer every question with another alias gets at most 300 questions', async () => {
    let aliases = 0
    txtOf = () => ({ alias: `a${++aliases}.shop.test` })

    const { verdict, proof } = await check()

    expect(asked.length).toBeLessThanOrEqual(mostQuestions)
    expect(verdict.code).toBeNull()
    expect(proof.tokens).toBeNull()
  })

  test('a token behind three aliases is found, and each alias is read once', async () => {
    txtOf = name => {
      const next = Number(/^a(\d)/.exec(name)?.[1] ?? 0) + 1
      return next > 3 ? { text: token } : { alias: `a${next}.shop.test` }
    }

    const { proof } = await check()

    expect(proof).toMatchObject({ tokens: [token], partialTokens: [] })
    expect(asked.filter(question => question === 'a3.shop.test TXT')).toHaveLength(13)
    expect(asked.length).toBeLessThanOrEqual(mostQuestions)
  })

  const caaOf = (labels: number) => {
    const name = `${'a.'.repeat(labels - 2)}shop.test`
    return checkCaa(dns, name, { identities: ['ca.example'], accountUrl: null })
  }

  test('the CAA records of a name with ten labels are read completely', async () => {
    expect(await caaOf(10)).toEqual({ outcome: 'allowed' })
    expect(asked.length).toBeLessThanOrEqual(mostQuestions)
  })

  test('the CAA check of a name with a hundred labels ends after 300 questions, and says why', async () => {
    expect(await caaOf(100)).toMatchObject({
      outcome: 'unreachable',
      message: expect.stringContaining('was not asked, because the lookup needs too many questions'),
    })
    expect(asked.length).toBeLessThanOrEqual(mostQuestions)
  })
})
