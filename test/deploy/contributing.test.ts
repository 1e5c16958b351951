import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const [, recipes = ''] = /^## Recipes$(.*?)^## /ms.exec(readFileSync('CONTRIBUTING.md', 'utf8')) ?? []
const each = recipes
  .split(/^### /m)
  .slice(1)
  .map(text => ({ title: text.split('\n')[0] ?? '', text }))

test('CONTRIBUTING.md has five recipes of at most five steps each', () => {
  const steps = each.map(({ title, text }) => [title, text.match(/^\d\. /gm)?.length])

  expect(steps).toEqual([
    ['A field of a pet', 5],
    ['A text of the dashboard', 2],
    ['An operation', 5],
    ['An error code', 5],
    ['A setting', 5],
  ])
})

test.each(each)('every file and every name that the recipe "$title" mentions exists', ({ text }) => {
  const quoted = [...text.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words)
  const paths = quoted.filter(words =>
    /^[\w.-]+(\/[\w.-]*)+$|^[\w-]*\.(ts|yaml|graphql|md|example)$/.test(words),
  )
  const files = paths.flatMap(path => (existsSync(path) ? [path] : globSync(`src/**/${path}`)))
  const names = quoted.filter(words => /^[a-z]\w*[A-Z]\w*$|^[A-Z][a-z]+[A-Z]?\w*$/.test(words))
  const texts = [...new Set(files)]
    .filter(file => /\.\w+$/.test(file))
    .map(file => readFileSync(file, 'utf8'))

  expect(paths.length).toBeGreaterThan(2)
  expect(paths.filter(path => !existsSync(path) && globSync(`src/**/${path}`).length === 0)).toEqual([])
  expect(names.filter(name => !texts.some(one => new RegExp(`\\b${name}\\b`).test(one)))).toEqual([])
})

test.each(quotedCommands())('the command %s is a script of package.json', name => {
  expect(Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts)).toContain(name)
})

function quotedCommands(): string[] {
  const text = readFileSync('CONTRIBUTING.md', 'utf8')
  return [...new Set([...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name))]
}
