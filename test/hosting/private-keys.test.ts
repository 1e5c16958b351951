import { expect, test } from 'vitest'
import { readEndpointSecrets } from '../../src/hosting/private-keys.ts'
import { prepareOwnDatabase } from '../support/open-database.ts'

const own = prepareOwnDatabase()

test('the scan of the secrets continues after the last webhook endpoint of a page was removed', async () => {
  const { id: projectId } = await own.makeProject()
  const ids = Array.from({ length: 201 }, (_, n) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`)
  const rest = { projectId, url: 'https://shop.test', delivered: 0n, sealedSecret: new Uint8Array(1) }
  await own.db.webhookEndpoint.createMany({ data: ids.map(id => ({ id, ...rest })) })

  const seen: string[] = []
  for await (const page of readEndpointSecrets(own.db)) {
    seen.push(...page.map(({ id }) => id))
    const last = page.at(-1)
    if (last && page.length > 1) await own.db.webhookEndpoint.delete({ where: { id: last.id } })
  }

  expect(seen).toEqual(ids)
})
