import { type Contract, type Located, nameOf, type Parameter, type Schema, showJson } from './contract.ts'
import { graphqlSample } from './graphql-sample.ts'
import { type Html, html } from './html.ts'

/** A form that sends a real request with the reader's key; try.js handles it. */
export function tryForm(
  { operationId: id, method, path, parameters = [], requestBody }: Located,
  schemas: Contract['components']['schemas'],
): Html {
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const sample = Object.values(body?.examples ?? {})[0]?.value ?? body?.example
  return html`<details class="try">
    <summary>Try it</summary>
    <form class="inside" data-method="${method}" data-path="${path}" novalidate>
      ${parameters.map(parameter => field(id, parameter, schemas))}
      ${
        sample !== undefined &&
        html`<div class="field"><label for="${id}-body">Body</label>
        <textarea class="input" id="${id}-body" name="body" data-type="${type}" rows="6" spellcheck="false">${typeof sample === 'string' ? sample : showJson(sample)}</textarea></div>`
      }
      ${sendRow}
    </form>
  </details>`
}

function field(operation: string, parameter: Parameter, schemas: Contract['components']['schemas']): Html {
  const id = `${operation}-${parameter.name}`
  const { schema, name } = parameter
  const choices = choicesOf(schema, schemas)
  const input = choices
    ? html`<select class="input" id="${id}" name="${name}" data-in="${parameter.in}"><option value="">any</option>${choices.map(value => html`<option>${value}</option>`)}</select>`
    : html`<input class="input" id="${id}" name="${name}" data-in="${parameter.in}" autocomplete="off" spellcheck="false" value="${parameter.required ? String(parameter.example ?? '') : ''}">`
  return html`<div class="field"><label for="${id}">${name}</label>${input}</div>`
}

const choicesOf = (schema: Schema, schemas: Contract['components']['schemas']) =>
  schema.enum ?? (schema.$ref ? schemas[nameOf(schema.$ref)]?.enum : undefined)

/** A form for a GraphQL field, with an operation to edit and send. */
export function tryGraphql(root: string, name: string): Html {
  const id = `graphql-${root}-${name}`
  const { document, variables } = graphqlSample(root, name)
  return html`<details class="try">
    <summary>Try it</summary>
    <form class="inside" data-graphql novalidate>
      <div class="field"><label for="${id}-document">Operation</label>
        <textarea class="input" id="${id}-document" name="document" rows="8" spellcheck="false">${document}</textarea></div>
      ${
        variables !== '{}' &&
        html`<div class="field"><label for="${id}-variables">Variables</label>
        <textarea class="input" id="${id}-variables" name="variables" rows="4" spellcheck="false">${variables}</textarea></div>`
      }
      ${sendRow}
    </form>
  </details>`
}

const sendRow = html`<div class="row"><button class="button primary" type="submit">Send</button>
        <span class="small soft">with the key at the top of this page</span></div>
      <div class="outcome" aria-live="polite"></div>`
