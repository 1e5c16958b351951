import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Code, piecesOf, placeForAddress, readGuides } from '../../src/reference/guides.ts'
import { type Language, placeForKey } from '../../src/reference/samples.ts'
import { makeSampleFolder, runSample } from '../support/run-sample.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let place: Awaited<ReturnType<typeof makeSampleFolder>>
let project: TestProject
beforeAll(async () => {
  app = await startApp()
  place = await makeSampleFolder()
  // Uses up the id 1 of the sequence, so that each guide can insert its own pet with the id 1.
  await (await app.makeProject()).post('/v1/pets', { name: 'First', categoryId: 7 })
})
afterAll(async () => {
  await app?.stop()
  place?.remove()
})

const blocksOf = (text: string): Code[] => piecesOf(text).filter(piece => typeof piece !== 'string')

/** Writes the status of each answer to a file beside the sample. */
const countingCurl = `curl() { command curl -sS -w '%{stderr}%{http_code}\\n' "$@" 2>> statuses; }\nrm -f statuses\n`

async function statusesOf(code: string): Promise<string[]> {
  await runSample(place.folder, 'curl', countingCurl + fill(code))
  return readFileSync(join(place.folder, 'statuses'), 'utf8').trim().split('\n')
}

const fill = (code: string) =>
  code.replaceAll(placeForAddress, app.url).replaceAll(placeForKey, project.secret)

describe.each(readGuides())('the guide "$title"', ({ text }) => {
  beforeAll(async () => {
    project = await app.makeProject()
    const pet = { id: 1n, name: 'First', categoryId: 7n, status: 'available' } as const
    await app.tools.db.pet.create({ data: { projectId: project.project.id, ...pet } })
  })
  const blocks = blocksOf(text)

  it('a guide has commands, and each command says which status its answers have', () => {
    const commands = blocks.filter(({ language }) => language === 'sh')
    expect(commands.length).toBeGreaterThan(0)
    expect(commands.filter(({ statuses }) => statuses.length === 0)).toEqual([])
  })

  it('the commands of a guide run in order and get the statuses that the guide names', async () => {
    for (const { code, statuses } of blocks.filter(({ language }) => language === 'sh'))
      expect([code, await statusesOf(code)]).toEqual([code, statuses])
  })

  it('the code of a guide for the typed client runs', async () => {
    for (const { code } of blocks.filter(({ language }) => language === 'ts'))
      expect(await runSample(place.folder, 'TypeScript', fill(code))).not.toBe('')
  })
})

const secret = `whsec_${Buffer.from('a secret of a webhook').toString('base64')}`
const body = JSON.stringify({ id: '3f2a91bc-42', number: 42, type: 'pet.created', data: {} })
const samples: [Language, string][] = [
  ['TypeScript', 'typescript'],
  ['JavaScript', 'javascript'],
  ['Python', 'python'],
  ['PHP', 'php'],
  ['Ruby', 'ruby'],
]

describe.each(samples)('verifying a signature in %s', (language, name) => {
  const { text = '' } = readGuides().find(guide => guide.name === 'events-and-webhooks') ?? {}
  const { code = '' } = blocksOf(text).find(block => block.language === name) ?? {}

  function verify(input: string, { ageSeconds = 0, key = secret } = {}): Promise<string> {
    const time = String(Math.floor(Date.now() / 1000) - ageSeconds)
    const signature = createHmac('sha256', Buffer.from(key.replace('whsec_', ''), 'base64'))
      .update(`3f2a91bc-42.${time}.${body}`)
      .digest('base64')
    const env = {
      WEBHOOK_ID: '3f2a91bc-42',
      WEBHOOK_TIMESTAMP: time,
      WEBHOOK_SIGNATURE: `v1,AAAA v1,${signature}`,
      WEBHOOK_SECRET: secret,
    }
    return runSample(place.folder, language, code, { env, input })
  }

  it('the sample code for webhooks accepts a body that the store has signed, even beside a signature with an older secret', async () => {
    expect((await verify(body)).trim()).toBe('pet.created')
  })

  it('the sample code for webhooks refuses another body, another secret and an old time', async () => {
    const other = `whsec_${Buffer.from('another secret').toString('base64')}`
    await expect(verify(body.replace('42', '43'))).rejects.toThrow()
    await expect(verify(body, { key: other })).rejects.toThrow()
    await expect(verify(body, { ageSeconds: 400 })).rejects.toThrow()
  })
})
