import { nameOf, type Schema } from './contract.ts'
import { type Html, html, raw } from './html.ts'
import { inline } from './markdown.ts'

/** Describes a type in a word or two, linked if its definition is on the page. */
export function typeOf(schema: Schema): Html {
  if (schema.$ref) return html`<a href="#schema-${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`
  const either = schema.anyOf ?? schema.oneOf
  if (either) return raw(either.map(option => typeOf(option).html).join(' or '))
  if (schema.items) return html`array of ${typeOf(schema.items)}`
  const type = [schema.type ?? 'object'].flat().join(' or ')
  return html`${type}${schema.format && !type.startsWith('object') ? ` (${schema.format})` : ''}`
}

/** Lists the constraints on a value. */
export function rulesOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength } = schema
  const wide = (bound: number | bigint | undefined) => bound !== undefined && BigInt(bound) > 2n ** 53n
  const rules = [
    minimum !== undefined && maximum !== undefined && !wide(maximum) && `${minimum} to ${maximum}`,
    maxLength !== undefined && `${minLength ?? 0} to ${maxLength} characters`,
    schema.default !== undefined && `default ${schema.default}`,
  ]
  return rules.filter(Boolean).join(', ')
}

export const stabilityOf = (stability: string | undefined): Html | false =>
  stability !== undefined && html`<span class="badge wait">${stability}</span>`

export function showSchema(name: string, schema: Schema): Html {
  const parts = schema.allOf ?? [schema]
  const bases = parts.flatMap(part => (part.$ref ? [part] : []))
  const required = parts.flatMap(part => part.required ?? [])
  const members = parts.flatMap(part => Object.entries(part.properties ?? {}))
  return html`<section class="type" id="schema-${name}" aria-labelledby="title-schema-${name}">
    <h3 id="title-schema-${name}">${name}</h3>
    ${schema.description && raw(`<p>${inline(schema.description)}</p>`)}
    ${bases.map(base => html`<p>All fields of ${typeOf(base)}, and:</p>`)}
    ${schema.enum && html`<p class="values">${schema.enum.map(value => html`<code>${value}</code> `)}</p>`}
    ${schema.items && html`<p>An ${typeOf(schema)}.</p>`}
    ${
      members.length > 0 &&
      html`<dl class="members">${members.map(([member, type]) => showMember(member, type, required.includes(member)))}</dl>`
    }
  </section>`
}

export function showMember(name: string, schema: Schema, required: boolean): Html {
  const rules = rulesOf(schema)
  return html`<dt><code>${name}</code> <span class="soft">${typeOf(schema)}${rules && `, ${rules}`}</span>
      ${required && html`<span class="badge plain">required</span>`}${stabilityOf(schema['x-stability'])}</dt>
    <dd>${raw(inline(schema.description ?? ''))}</dd>`
}
