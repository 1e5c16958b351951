import { describe, expect, test } from 'vitest'
import { judgeConfiguration, type NewDeploy } from '../../src/core/deploy-configuration.ts'

const rules = { platformHost: 'animals.localhost', ownHosts: [], suffixes: ['test'] }
const own = ['shop.test', 'www.shop.test', 'old.test'].map(name => ({ name, ownedName: name }))
const judge = (input: NewDeploy) => judgeConfiguration(input, own, 'acme.animals.localhost', rules)
const redirect = (from: string, to: string, status?: number) => ({
  domains: { primary: 'shop.test', redirects: [{ from, to, ...(status && { status }) }] },
})

describe('a configuration is refused for', () => {
  test.each<[string, NewDeploy, string]>([
    [
      'an unknown domain',
      { domains: { primary: 'other.test' } },
      'other.test is not a domain of this project',
    ],
    ['a name that is none', { domains: { primary: '*.shop.test' } }, 'wildcard'],
    ["another project's platform host", { domains: { primary: 'zoo.animals.localhost' } }, 'platform'],
    ['an unknown status', redirect('www.shop.test', 'shop.test', 303), 'status is 303'],
    ['a redirect from the primary', redirect('shop.test', 'www.shop.test'), 'starts at the primary domain'],
    ['a redirect to itself', redirect('www.shop.test', 'www.shop.test'), 'leads back to itself'],
    [
      'a loop',
      {
        domains: {
          redirects: [
            { from: 'www.shop.test', to: 'old.test' },
            { from: 'old.test', to: 'www.shop.test' },
          ],
        },
      },
      'leads back to itself',
    ],
    [
      'a chain',
      {
        domains: {
          redirects: [
            { from: 'www.shop.test', to: 'old.test' },
            { from: 'old.test', to: 'shop.test' },
          ],
        },
      },
      'redirects on to shop.test',
    ],
    [
      'two redirects from one domain',
      {
        domains: {
          redirects: [
            { from: 'old.test', to: 'shop.test' },
            { from: 'OLD.test.', to: 'www.shop.test' },
          ],
        },
      },
      'redirects already',
    ],
    ['a title that is too long', { title: 'x'.repeat(101) }, 'title'],
  ])('%s', (_, input, reason) => {
    expect(judge(input).errors.join('\n')).toContain(reason)
  })
})

test('a configuration in order is read with its names in one spelling', () => {
  const judged = judge({
    title: ' Pets ',
    domains: { primary: 'SHOP.test.', redirects: [{ from: 'https://www.shop.test/', to: 'shop.test' }] },
  })

  expect(judged).toEqual({
    configuration: {
      title: 'Pets',
      description: null,
      domains: { primary: 'shop.test', redirects: [{ from: 'www.shop.test', to: 'shop.test', status: 301 }] },
    },
    errors: [],
    warnings: [],
  })
})

test('a domain that is not verified yet is warned of', () => {
  const waiting = [{ name: 'new.test', ownedName: null }]
  const judged = judgeConfiguration(
    { domains: { primary: 'new.test' } },
    waiting,
    'acme.animals.localhost',
    rules,
  )

  expect(judged.errors).toEqual([])
  expect(judged.warnings).toEqual([expect.stringContaining('not verified yet')])
})
