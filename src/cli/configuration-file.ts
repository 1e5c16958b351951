import { readFileSync } from 'node:fs'
import type { NewDeploy } from '../generated/contract.ts'
import { type Detail, exitCodes, Refused } from './exit.ts'

type Shape = 'text' | 'number' | { fields: Record<string, Shape>; required?: string[] } | { each: Shape }

/** The shape of the file. The service validates the values. */
const redirect: Shape = {
  fields: { from: 'text', to: 'text', status: 'number' },
  required: ['from', 'to'],
}
const configuration: Shape = {
  fields: {
    title: 'text',
    description: 'text',
    domains: { fields: { primary: 'text', redirects: { each: redirect }, httpsRedirectStatus: 'number' } },
  },
}

/** Reads a configuration file. Refuses it with a list of every member that does not fit the shape. */
export function readConfiguration(file: string): NewDeploy {
  const read = parse(file)
  const faults = faultsOf(read, configuration, '')
  if (faults.length === 0) return read as NewDeploy
  const lines = faults.map(({ field, message }) => `${file}: ${field ? `${field} ` : ''}${message}`)
  throw new Refused(lines.join('\n'), exitCodes.wrongInput, 'invalid_input', faults)
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Refused(`${file} cannot be read as JSON: ${reason}`, exitCodes.wrongInput)
  }
}

function faultsOf(value: unknown, shape: Shape, at: string): Detail[] {
  const must = (message: string) => [{ field: at, message: `must be ${message}` }]
  if (shape === 'text') return typeof value === 'string' ? [] : must('a text in quotes')
  if (shape === 'number') return Number.isInteger(value) ? [] : must('a whole number without quotes')
  if ('each' in shape) {
    if (!Array.isArray(value)) return must('a list in square brackets')
    return value.flatMap((item, index) => faultsOf(item, shape.each, `${at}[${index}]`))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return must('an object in braces')
  const place = (name: string) => (at ? `${at}.${name}` : name)
  const missing = (shape.required ?? []).filter(name => !(name in value))
  return [
    ...missing.map(name => ({ field: place(name), message: 'is missing' })),
    ...Object.entries(value).flatMap(([name, inner]) => {
      const known = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined
      if (!known) return [{ field: place(name), message: `is unknown; use ${listOf(shape.fields)}` }]
      // For an optional member, null means absent.
      const isLeftOut = inner === null && !shape.required?.includes(name)
      return isLeftOut ? [] : faultsOf(inner, known, place(name))
    }),
  ]
}

const listOf = (fields: Record<string, Shape>) => Object.keys(fields).join(', ')
