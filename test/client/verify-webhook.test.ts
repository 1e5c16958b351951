import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { verifyWebhook } from '../../clients/typescript/src/index.ts'

const secret = `whsec_${Buffer.from('the secret of this test').toString('base64')}`
const body = '{"id":"3f2a91bc-42","type":"pet.created","data":{"name":"Käthe 猫"}}'
const time = String(Math.floor(Date.now() / 1000))
const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
  .update(`3f2a91bc-42.${time}.${body}`)
  .digest('base64')
const headers = {
  'webhook-id': '3f2a91bc-42',
  'webhook-timestamp': time,
  'webhook-signature': `v1,${signature}`,
}

it.each([
  ['a text', body],
  ['a Buffer', Buffer.from(body)],
  ['a byte array', new TextEncoder().encode(body)],
])('the body of a webhook request may be %s', async (_what, received) => {
  expect(await verifyWebhook(received, headers, secret)).toMatchObject({ data: { name: 'Käthe 猫' } })
})

it.each([undefined, null, 5, '', 'whsec_'])('a missing secret is refused: %j', async missing => {
  const message = 'No secret was given.'

  await expect(verifyWebhook(body, headers, missing as string)).rejects.toMatchObject({
    ...{ name: 'StoreError', code: 'invalid_signature', message },
  })
})

it.each<[string, unknown, unknown]>([
  ['without headers', body, undefined],
  ['whose body is parsed already', JSON.parse(body), headers],
  ['whose body is missing', undefined, headers],
])('a webhook request %s is refused', async (_what, received, given) => {
  const verifying = verifyWebhook(received as string, given as typeof headers, secret)

  await expect(verifying).rejects.toMatchObject({ name: 'StoreError', code: 'invalid_signature' })
})
