import { type Located, type Parameter, type Schema, showJson } from './contract.ts'
import { type Html, html } from './html.ts'

/** A form that sends the real request with the reader's own key; page.js brings it to life. */
export function tryForm({ operationId: id, method, path, parameters = [], requestBody }: Located): Html {
  const [body] = Object.values(requestBody?.content ?? {})
  const sample = Object.values(body?.examples ?? {})[0]?.value
  return html`<details class="try">
    <summary>Try it</summary>
    <form class="inside" data-method="${method}" data-path="${path}" novalidate>
      ${parameters.map(parameter => field(id, parameter))}
      ${
        sample !== undefined &&
        html`<div class="field"><label for="${id}-body">Body</label>
        <textarea class="input" id="${id}-body" name="body" rows="6" spellcheck="false">${showJson(sample)}</textarea></div>`
      }
      <div class="row"><button class="button primary" type="submit">Send</button>
        <span class="small soft">with the key at the top of this page</span></div>
      <div class="outcome" aria-live="polite"></div>
    </form>
  </details>`
}

function field(operation: string, parameter: Parameter): Html {
  const id = `${operation}-${parameter.name}`
  const { schema, name } = parameter
  const choices = enumOf(schema)
  const input = choices
    ? html`<select class="input" id="${id}" name="${name}" data-in="${parameter.in}"><option value="">any</option>${choices.map(value => html`<option>${value}</option>`)}</select>`
    : html`<input class="input" id="${id}" name="${name}" data-in="${parameter.in}" autocomplete="off" spellcheck="false" value="${parameter.required ? String(parameter.example ?? '') : ''}">`
  return html`<div class="field"><label for="${id}">${name}</label>${input}</div>`
}

const statuses = ['available', 'pending', 'sold']
const enumOf = (schema: Schema) => schema.enum ?? (schema.$ref?.endsWith('/PetStatus') ? statuses : null)
