import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { readConfiguration } from '../../src/cli/configuration-file.ts'
import { Refused } from '../../src/cli/exit.ts'
import { data, runWithAnswers } from '../support/run-command.ts'

let file: string
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-configuration-'))
  file = join(folder, 'animal-store.json')
  return () => rmSync(folder, { recursive: true })
})

/** Returns the refusal of a file with this content. */
function refusalOf(text: string): Refused {
  writeFileSync(file, text)
  try {
    readConfiguration(file)
  } catch (error) {
    if (error instanceof Refused) return error
    throw error
  }
  throw new Error('It was read.')
}
const redirects = (...each: unknown[]) => JSON.stringify({ domains: { redirects: each } })
const right = { from: 'a.test', to: 'b.test' }

describe('a configuration', () => {
  it('a configuration is published exactly as the file says', async () => {
    const redirect = { ...right, status: 301 }
    const whole = {
      title: 'Shop',
      description: null,
      domains: { primary: 'b.test', redirects: [redirect, right] },
    }
    writeFileSync(file, JSON.stringify(whole))
    const deploy = { id: 'deploy_1', state: 'succeeded', log: [] }

    const { received } = await runWithAnswers(
      ['deploy', file, '--project', 'zoo'],
      [data({ deployCreate: { deploy } })],
    )

    const input = { ...whole, projectId: 'project_zoo', dryRun: false }
    expect(received).toEqual([['operator', 'PublishDeploy', { input }]])
  })

  it.each([
    ['{"constructor":1}', 'constructor', 'is unknown; use title, description, domains'],
    [
      '{"domains":{"toString":1}}',
      'domains.toString',
      'is unknown; use primary, redirects, httpsRedirectStatus',
    ],
    ['{"title":7}', 'title', 'must be a text in quotes'],
    ['{"description":[]}', 'description', 'must be a text in quotes'],
    ['{"domains":[]}', 'domains', 'must be an object in braces'],
    ['null', '', 'must be an object in braces'],
    ['[]', '', 'must be an object in braces'],
    [redirects(null), 'domains.redirects[0]', 'must be an object in braces'],
    [redirects(right, { to: 'b.test' }), 'domains.redirects[1].from', 'is missing'],
    [redirects(right, { from: 'b.test' }), 'domains.redirects[1].to', 'is missing'],
    [redirects({ ...right, from: null }), 'domains.redirects[0].from', 'must be a text in quotes'],
    [
      redirects({ ...right, status: 301.5 }),
      'domains.redirects[0].status',
      'must be a whole number without quotes',
    ],
    [
      redirects({ ...right, status: '301' }),
      'domains.redirects[0].status',
      'must be a whole number without quotes',
    ],
    [redirects({ ...right, code: 1 }), 'domains.redirects[0].code', 'is unknown; use from, to, status'],
  ])('the configuration %s is refused with the faulty field and the reason', (text, field, message) => {
    expect(refusalOf(text)).toMatchObject({
      ...{ exitCode: 2, code: 'invalid_input', details: [{ field, message }] },
      message: `${file}: ${field ? `${field} ` : ''}${message}`,
    })
  })

  it.each([
    '{"title":null,"domains":null}',
    '{"domains":{"primary":null,"redirects":[]}}',
    redirects({ ...right, status: null }),
  ])('an optional part of a configuration may be null: %s', text => {
    writeFileSync(file, text)

    expect(readConfiguration(file)).toEqual(JSON.parse(text))
  })

  it('a configuration file that is missing or not JSON is refused with an error that names the file', () => {
    expect(refusalOf('{"title":')).toMatchObject({
      ...{ exitCode: 2, code: 'invalid_input', details: [] },
      message: expect.stringContaining(`${file} cannot be read as JSON: `),
    })
    rmSync(file)
    expect(() => readConfiguration(file)).toThrow(`${file} cannot be read as JSON: ENOENT`)
  })
})
