import ts from 'typescript'

/** A small bug that a change could introduce: `replacement` replaces the text from `start` to `end`. */
export type Mutation = {
  file: string
  line: number
  kind: Kind
  start: number
  end: number
  before: string
  replacement: string
  /** The enclosing function's name; '' at the top level of a module. */
  inFunction: string
}

/** Returns the room of a file: a folder of src, `client`, `prisma`, or `start` for files directly in src. */
export function roomOf({ file }: Mutation): string {
  const [top, room = '', inside] = file.split('/')
  if (top === 'src') return inside ? room : 'start'
  return top === 'clients' ? 'client' : (top ?? '')
}

export type Kind =
  | 'owner'
  | 'guard'
  | 'unit'
  | 'invalidation'
  | 'await'
  | 'comparison'
  | 'condition'
  | 'step'
  | 'flag'
  | 'field'
  | 'sql'
  /** A bug that a person wrote: `inFunction` holds a description of the bug instead of a function's name. */
  | 'chosen'

type Found = Pick<Mutation, 'kind' | 'start' | 'end' | 'replacement'>

/** Finds all bugs that can be put into a file: bugs of each `Kind` except `chosen`. */
export function mutationsOf(file: string, text: string): Mutation[] {
  if (file.endsWith('.sql')) return mutationsOfMigration(file, text)
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: Mutation[] = []
  visit(source, '')
  return found

  function visit(node: ts.Node, inFunction: string): void {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node)) return
    const inside = bodyOf(node) ? functionName(node) : inFunction
    for (const one of bugsAt(node)) {
      const line = source.getLineAndCharacterOfPosition(one.start).line + 1
      found.push({ file, line, before: text.slice(one.start, one.end), inFunction: inside, ...one })
    }
    ts.forEachChild(node, child => visit(child, inside))
  }
}

const migrationBugs: [RegExp, string][] = [
  [/\s+CHECK \([^;]*?\)(?=,?\n)/g, ''],
  [/^CREATE (CONSTRAINT )?TRIGGER [^;]*;/gm, ''],
  [/(?<=CREATE )UNIQUE (?=INDEX)/g, ''],
  [/(?<=ON DELETE )CASCADE/g, 'SET NULL'],
]

function mutationsOfMigration(file: string, text: string): Mutation[] {
  return [...sqlBugs, ...migrationBugs].flatMap(([pattern, replacement]) =>
    [...text.matchAll(pattern)].map(({ index: start, 0: before }) => ({
      file,
      line: text.slice(0, start).split('\n').length,
      kind: 'sql' as const,
      start,
      end: start + before.length,
      before,
      replacement,
      // One bug per function is drawn. A migration has no functions, so each of its statements counts as a function.
      inFunction: String(text.slice(0, start).split(';').length),
    })),
  )
}

/** Returns the body of a node that is a function; undefined for other nodes. */
export function bodyOf(node: ts.Node): ts.Node | undefined {
  return ts.isFunctionLike(node) && 'body' in node ? (node.body as ts.Node | undefined) : undefined
}

/**
 * Names the function by the names of its parents. Unlike a line number, this name survives most changes of the file.
 */
export function functionName(node: ts.Node): string {
  const names: string[] = []
  for (let at = node; at.parent; at = at.parent) {
    if (ts.isFunctionLike(at) || ts.isClassLike(at) || ts.isVariableDeclaration(at) || isNamedProperty(at)) {
      const { name } = at
      names.unshift(name && ts.isIdentifier(name) ? name.text : '')
    }
  }
  return names.join('.')
}

function bugsAt(node: ts.Node): Found[] {
  return [
    ...lostOwner(node),
    ...lostGuard(node),
    ...wrongUnit(node),
    ...forgottenInvalidation(node),
    ...lostAwait(node),
    ...otherComparison(node),
    ...lostStep(node),
    ...turnedFlag(node),
    ...lostField(node),
    ...looserSql(node),
  ]
}

const owners = /^(projectId|apiKeyId|project_id|ownerId)$/

function lostOwner(node: ts.Node): Found[] {
  if (!isNamedProperty(node) || !owners.test(node.name.getText()) || !isInsideOf(node, 'where')) return []
  return [remove('owner', node)]
}

function lostGuard(node: ts.Node): Found[] {
  if (!ts.isIfStatement(node) || node.elseStatement) return []
  const then = ts.isBlock(node.thenStatement) ? node.thenStatement.statements.at(-1) : node.thenStatement
  const leaves =
    then && (ts.isReturnStatement(then) || ts.isThrowStatement(then) || ts.isContinueStatement(then))
  return leaves ? [exchange('guard', node.expression, 'false')] : []
}

function wrongUnit(node: ts.Node): Found[] {
  if (!ts.isNumericLiteral(node)) return []
  const value = Number(node.text)
  if (value < 1000 || value % 1000 !== 0) return []
  return [exchange('unit', node, String(value / 1000))]
}

const forgets =
  /^(forget|delete|clear|end|invalidate|drop|reset|close|notify|emit|signal|record|count|remove)/

function forgottenInvalidation(node: ts.Node): Found[] {
  if (!ts.isExpressionStatement(node)) return []
  const call = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression
  if (!ts.isCallExpression(call)) return []
  const name = ts.isPropertyAccessExpression(call.expression) ? call.expression.name : call.expression
  return forgets.test(name.getText()) ? [exchange('invalidation', node, ';')] : []
}

function lostAwait(node: ts.Node): Found[] {
  if (!ts.isAwaitExpression(node) || !ts.isExpressionStatement(node.parent)) return []
  return [exchange('await', node, `void ${node.expression.getText()}`)]
}

const others = new Map<ts.SyntaxKind, [Kind, string]>([
  [ts.SyntaxKind.LessThanToken, ['comparison', '<=']],
  [ts.SyntaxKind.LessThanEqualsToken, ['comparison', '<']],
  [ts.SyntaxKind.GreaterThanToken, ['comparison', '>=']],
  [ts.SyntaxKind.GreaterThanEqualsToken, ['comparison', '>']],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ['comparison', '!==']],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, ['comparison', '===']],
  [ts.SyntaxKind.AmpersandAmpersandToken, ['condition', '||']],
  [ts.SyntaxKind.BarBarToken, ['condition', '&&']],
])

function otherComparison(node: ts.Node): Found[] {
  if (!ts.isBinaryExpression(node)) return []
  const other = others.get(node.operatorToken.kind)
  return other ? [exchange(other[0], node.operatorToken, other[1])] : []
}

function lostStep(node: ts.Node): Found[] {
  if (!ts.isBinaryExpression(node) || !ts.isNumericLiteral(node.right) || node.right.text !== '1') return []
  const { kind } = node.operatorToken
  if (kind !== ts.SyntaxKind.PlusToken && kind !== ts.SyntaxKind.MinusToken) return []
  return [{ kind: 'step', start: node.left.getEnd(), end: node.right.getEnd(), replacement: '' }]
}

function turnedFlag(node: ts.Node): Found[] {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [exchange('flag', node, 'false')]
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [exchange('flag', node, 'true')]
  return []
}

/** Removes one field from an object literal with at least three fields. The code may store, hash or show the object. */
function lostField(node: ts.Node): Found[] {
  if (!isNamedProperty(node) || isInsideOf(node, 'where')) return []
  const object = node.parent
  return ts.isObjectLiteralExpression(object) && object.properties.length > 2 ? [remove('field', node)] : []
}

const sqlBugs: [RegExp, string][] = [
  [/\s+AND\s+[\w."]*project_id"?\s*=\s*(\$\d+|\w+\.project_id)/gi, ''],
  [/\s+AND\s+[\w."]+\s+IS\s+(NOT\s+)?NULL/gi, ''],
  [/\s+FOR (UPDATE|SHARE|KEY SHARE)/gi, ''],
  [/(?<=\w|\d)\s<=\s(?=[$\w])/g, ' < '],
  [/(?<=\w|\d)\s>=\s(?=[$\w])/g, ' > '],
  [/(?<=\w|\d)\s<\s(?=[$\w])/g, ' <= '],
  [/(?<=\w|\d)\s>\s(?=[$\w])/g, ' >= '],
  [/\bDESC\b/g, 'ASC'],
]

function looserSql(node: ts.Node): Found[] {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return []
  const text = node.getText()
  if (!/\b(SELECT|UPDATE|DELETE|INSERT|WHERE)\b/.test(text)) return []
  return sqlBugs.flatMap(([pattern, replacement]) =>
    [...text.matchAll(pattern)].map(match => {
      const start = node.getStart() + match.index
      // PostgreSQL rejects a statement with an unused parameter, so keep the condition and make it true.
      const bug = /\$\d/.test(match[0]) && replacement === '' ? keepTrue(match[0]) : replacement
      return { kind: 'sql' as const, start, end: start + match[0].length, replacement: bug }
    }),
  )
}

const keepTrue = (condition: string) => condition.replace(/AND\s+(.*)$/is, 'AND ($1 OR true)')

function isNamedProperty(node: ts.Node): node is ts.PropertyAssignment | ts.ShorthandPropertyAssignment {
  return ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)
}

function isInsideOf(node: ts.Node, property: string): boolean {
  for (let above = node.parent; above && !ts.isFunctionLike(above); above = above.parent) {
    if (ts.isPropertyAssignment(above) && above.name.getText() === property) return true
  }
  return false
}

function exchange(kind: Kind, node: ts.Node, replacement: string): Found {
  return { kind, start: node.getStart(), end: node.getEnd(), replacement }
}

/** Also removes the comma after the node. */
function remove(kind: Kind, node: ts.Node): Found {
  const after = node.getSourceFile().text.slice(node.getEnd()).match(/^\s*,/)?.[0].length ?? 0
  return { kind, start: node.getStart(), end: node.getEnd() + after, replacement: '' }
}
