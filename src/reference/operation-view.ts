import { anchor } from './anchor.ts'
import { type Answer, type Contract, type Located, showJson } from './contract.ts'
import { type Html, html, raw } from './html.ts'
import { inline, markdown } from './markdown.ts'
import { sameOperations } from './same-operations.ts'
import { samplesOf } from './samples.ts'
import { showSamples } from './samples-view.ts'
import { rulesOf, stabilityOf, typeOf } from './schema-view.ts'
import { tryForm } from './try-view.ts'

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** The data that the view of an operation needs besides the operation. */
export type Surroundings = {
  baseUrl: string
  schemas: Contract['components']['schemas']
  showsGraphql: boolean
}

const isError = /^[45]/

export function showOperation(operation: Located, { baseUrl, schemas, showsGraphql }: Surroundings): Html {
  const {
    operationId: id,
    method,
    path,
    summary,
    description,
    deprecated,
    parameters = [],
    requestBody,
    responses,
  } = operation
  const same = sameOperations.find(({ rest }) => rest === id)
  const removal = operation['x-removal-date']
  const ofStatus = (wanted: RegExp) =>
    Object.entries(responses).flatMap(([status, answer]) =>
      wanted.test(status) ? showAnswer(status, answer) : [],
    )
  return html`<article class="operation" id="${id}" aria-labelledby="title-${id}">
    <h3 id="title-${id}">${summary}${anchor(id)}</h3>
    <p class="line"><span class="method ${method.toLowerCase()}">${method}</span> <code class="break">${path}</code>
      ${stabilityOf(operation['x-stability'])}
      ${deprecated && html`<span class="badge bad">deprecated</span>`}</p>
    ${removal && html`<p class="removal">Will be removed on ${day.format(new Date(removal))}.</p>`}
    ${markdown(description ?? '')}
    ${
      showsGraphql &&
      same &&
      html`<p class="small">Operation <code>${id}</code>. The same over GraphQL: <a href="#graphql-${same.root}-${same.field}"><code>${same.field}</code></a></p>`
    }
    ${showSamples(samplesOf(operation, baseUrl, showsGraphql))}
    ${
      parameters.length > 0 &&
      html`<h4>Parameters</h4>
      <dl class="members">${parameters.map(
        parameter => html`<dt><code>${parameter.name}</code>
          <span class="soft">${parameter.in}, ${typeOf(parameter.schema)}${rulesOf(parameter.schema) && `, ${rulesOf(parameter.schema)}`}</span>
          ${parameter.required && html`<span class="badge plain">required</span>`}${stabilityOf(parameter['x-stability'])}</dt>
          <dd>${raw(inline(parameter.description ?? ''))}</dd>`,
      )}</dl>`
    }
    ${requestBody && showBody(requestBody)}
    <h4>Answers</h4>
    <div class="answers">${ofStatus(/^[123]/)}<details><summary>Errors: ${Object.keys(responses)
      .filter(status => isError.test(status))
      .join(', ')}</summary><div class="inside">${ofStatus(isError)}</div></details></div>
    ${tryForm(operation, schemas)}
  </article>`
}

function showBody({ description, content }: NonNullable<Located['requestBody']>): Html {
  return html`<h4>Body</h4>
    ${Object.entries(content).map(
      ([
        type,
        { schema, examples = {} },
      ]) => html`<p>${description} As <code>${type}</code>: ${schema && typeOf(schema)}.</p>
      ${Object.values(examples).map(({ summary, value }) => example(summary, value))}`,
    )}`
}

function showAnswer(status: string, { description, headers = {}, content = {} }: Answer): Html {
  const [body] = Object.values(content)
  const examples = body?.examples
    ? Object.values(body.examples)
    : body?.example === undefined
      ? []
      : [{ summary: undefined, value: body.example }]
  return html`<details>
    <summary><span class="status s${status[0]}">${status}</span> ${raw(inline(description))}</summary>
    <div class="inside">
      ${body?.schema && html`<p>Body: ${typeOf(body.schema)}</p>`}
      ${examples.map(({ summary, value }) => example(summary, value))}
      ${
        Object.keys(headers).length > 0 &&
        html`<p class="small soft">Headers: ${Object.keys(headers).map(name => html`<code>${name}</code> `)}</p>`
      }
    </div>
  </details>`
}

const example = (summary: string | undefined, value: unknown) =>
  html`${summary && html`<p class="small soft">${summary}</p>`}<pre tabindex="0" aria-label="Example"><code>${showJson(value)}</code></pre>`
