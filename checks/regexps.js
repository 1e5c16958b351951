// Fails if a regular expression can take more than linear time: a long text could then stop a process.
import { globSync, readFileSync } from 'node:fs'
import { checkSync } from 'recheck'
import ts from 'typescript'

const files = globSync('src/**/*.ts').filter(file => !/generated|src\/(cli|dashboard|practice)\//.test(file))
let checked = 0
let failed = 0

for (const file of files) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  visit(source)

  function visit(node) {
    if (ts.isRegularExpressionLiteral(node)) check(node)
    ts.forEachChild(node, visit)
  }

  function check(node) {
    const [, pattern = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? []
    const { status, complexity } = checkSync(pattern, flags)
    checked++
    if (status === 'safe') return
    failed++
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    console.error(`${file}:${line + 1} ${node.text} takes ${complexity?.summary ?? 'unknown'} time`)
  }
}
console.log(`${checked} regular expressions, ${failed} of them not linear`)
process.exitCode = checked > 100 && failed === 0 ? 0 : 1
