import { type Fault, invalidInput } from '../core/errors.ts'
import { type Arguments, isIdArgument, type Tool } from './tool.ts'

/** As many faults as REST reports for one body. */
const mostFaults = 10
const longestName = 50

/**
 * Checks the names and types of the arguments. Accepts null for every known argument, because many models send null for
 * an argument that they mean to omit. Tools ignore a null; only for the status in `update_pet` it is a value. The core
 * checks the values, so that the rules are the same as in REST and GraphQL.
 */
export function readArguments({ input }: Tool, given: Record<string, unknown>): Arguments {
  const faults: Fault[] = []
  const args: Record<string, string | number | boolean | null> = {}
  for (const [name, value] of Object.entries(given)) {
    const argument = Object.hasOwn(input, name) ? input[name] : undefined
    if (!argument) {
      faults.push({
        field: show(name),
        message: `is unknown; use ${Object.keys(input).join(', ') || 'none'}`,
      })
    } else if (value === null) {
      args[name] = null
    } else {
      const text = isIdArgument(argument) && Number.isSafeInteger(value) ? String(value) : value
      if (isOfType(argument.type, text)) args[name] = text
      else faults.push({ field: name, message: `must be ${withArticle[argument.type]}` })
    }
  }
  if (faults.length > 0) throw invalidInput(faults.slice(0, mostFaults))
  return args
}

const withArticle = { string: 'a string', integer: 'an integer', boolean: 'true or false' }

function isOfType(type: keyof typeof withArticle, value: unknown): value is string | number | boolean {
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}

const show = (name: string) =>
  name.length > longestName ? `${name.slice(0, longestName).toWellFormed()}...` : name

/** Returns a text argument; null if absent. */
export function textOf(args: Arguments, name: string): string | null {
  const value = args[name]
  return value == null ? null : String(value)
}

/** Returns a text argument that the tool cannot do without. */
export function requiredText(args: Arguments, name: string): string {
  const text = textOf(args, name)
  if (text === null) throw invalidInput([{ field: name, message: 'is required' }])
  return text
}

/** Returns the arguments of a page: its size, and the cursor after which it begins. */
export const pageOf = (args: Arguments) => ({
  limit: Number(args.limit ?? 20),
  after: textOf(args, 'cursor'),
})
