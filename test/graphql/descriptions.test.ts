import { readFileSync } from 'node:fs'
import { buildSchema, isEnumType, isInputObjectType, isObjectType, isSpecifiedDirective } from 'graphql'
import { describe, expect, test } from 'vitest'

const text = readFileSync('schema.graphql', 'utf8')

describe('schema.graphql', () => {
  test('schema.graphql describes every type, field, argument and value', () => {
    const schema = buildSchema(text)
    const missing: string[] = []
    const look = (name: string, { description }: { description?: string | null | undefined }) => {
      if (!description) missing.push(name)
    }
    look('schema', schema)
    for (const directive of schema.getDirectives().filter(each => !isSpecifiedDirective(each))) {
      look(`@${directive.name}`, directive)
      for (const arg of directive.args) look(`@${directive.name}(${arg.name})`, arg)
    }
    for (const type of Object.values(schema.getTypeMap()).filter(each => !each.name.startsWith('__'))) {
      look(type.name, type)
      if (isEnumType(type)) for (const value of type.getValues()) look(`${type.name}.${value.name}`, value)
      if (isInputObjectType(type))
        for (const field of Object.values(type.getFields())) look(`${type.name}.${field.name}`, field)
      if (!isObjectType(type)) continue
      for (const field of Object.values(type.getFields())) {
        look(`${type.name}.${field.name}`, field)
        for (const arg of field.args) look(`${type.name}.${field.name}(${arg.name})`, arg)
      }
    }

    expect(missing).toEqual([])
  })
})
