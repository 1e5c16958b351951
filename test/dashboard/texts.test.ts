import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { pluralsOf } from '../../src/dashboard/texts/plural.ts'
import { accent, accented } from '../support/pseudo-texts.ts'

/** Attributes and properties whose texts people read. */
const shown =
  /^(aria-label|aria-valuetext|title|placeholder|alt|label|hint|what|act|acting|out|head|note|refusal|short|error)$/
/** Names that are the same in every language, and examples of what to type. */
const names = /^(REST|GraphQL|MCP|CSV|NDJSON|JSON|TTL|DNS|API|as_…|https:\/\/\S+|[a-z.-]+|[A-Z]{4}-[A-Z]{4})$/
const hasWord = (text: string) => /\p{L}{2}/u.test(text) && !names.test(text.trim())
const isSentence = (text: string) =>
  /^( ?\([a-z ]+\)|[A-Z][a-z’']*[ ,:…])/.test(text) && !text.startsWith('Bearer ')
const hasWords = (text: string) => /[a-z]{2} [a-z]/.test(text)

function textsIn(file: string): string[] {
  const found: string[] = []
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && hasWord(node.text) && !isCode(node.parent)) found.push(node.text.trim())
    if (ts.isJsxAttribute(node) && node.initializer && ts.isStringLiteral(node.initializer))
      if (shown.test(node.name.getText()) && hasWord(node.initializer.text)) found.push(node.initializer.text)
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateHead(node))
      if ((isSentence(node.text) || isLoneWord(node)) && !isForDevelopers(node)) found.push(node.text)
    if (ts.isPropertyAssignment(node) && ts.isStringLiteral(node.initializer))
      if (shown.test(node.name.getText()) && hasWord(node.initializer.text)) found.push(node.initializer.text)
    if (ts.isTemplateExpression(node) && !node.head.text.startsWith('curl '))
      found.push(...node.templateSpans.map(({ literal }) => literal.text).filter(hasWords))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found.map(text => `${file}: ${text}`)
}

/** True for an element that shows a key, a command or a name of the API. These are not translated. */
function isCode(element: ts.Node): boolean {
  if (!ts.isJsxElement(element)) return false
  const { tagName, attributes } = element.openingElement
  return /^(code|kbd|pre)$/.test(tagName.getText()) || /\bmono\b/.test(attributes.getText())
}

/** True for a single capitalised word that is chosen by a condition or shown directly: `busy ? 'Export' : ...`. */
const isLoneWord = ({
  parent,
  text,
}: ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateHead) =>
  /^[A-Z][a-z]+…?$/.test(text) &&
  (ts.isConditionalExpression(parent) || ts.isJsxExpression(parent) || isFallback(parent))
const isFallback = (node: ts.Node) =>
  ts.isBinaryExpression(node) && /^(\?\?|\|\||&&)$/.test(node.operatorToken.getText())

/** True for messages about bugs of the dashboard, and for texts of the store that the code compares with an answer. */
const isForDevelopers = ({ parent }: ts.Node) =>
  (ts.isNewExpression(parent) || ts.isCallExpression(parent)) &&
  /^(Error|MissingCode|message\.startsWith)$/.test(parent.expression.getText())

it('every text of the dashboard is in its catalogue', () => {
  const files = globSync('src/dashboard/**/*.{ts,tsx}').filter(
    file => !/\/(texts|generated)\/|vite\.config/.test(file),
  )
  expect(files.length).toBeGreaterThan(150)
  expect(files.flatMap(textsIn)).toEqual([])
})

it('a plural follows the rules of its language', () => {
  const czech = pluralsOf('cs')
  const forms = { one: 'zvíře', few: 'zvířata', other: 'zvířat' }
  expect([1, 2, 5].map(count => czech(count, forms))).toEqual(['zvíře', 'zvířata', 'zvířat'])
  expect([1, 2].map(count => pluralsOf('en')(count, { one: 'pet', other: 'pets' }))).toEqual(['pet', 'pets'])
})

it('the pseudo-language accents every letter of a text, makes it longer, and leaves inserted values unchanged', () => {
  const text = 'Approaching a limit of the plan'
  expect(accent(text)).not.toMatch(/[a-z]/i)
  expect(accent(text).length).toBeGreaterThan(text.length * 1.3)
  const said = accented((name: string) => `Removed ${name}.`) as (name: string) => string
  expect(said('Biscuit')).toBe(`${accent('Removed ')}\u2068Biscuit\u2069.`)
})
