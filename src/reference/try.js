// The script of "Try it": sends the form's request, and shows the request and the answer.
function restRequest(form) {
  const headers = keyHeader()
  const query = new URLSearchParams()
  let path = form.dataset.path
  for (const { name, value, dataset } of form.querySelectorAll('[data-in]')) {
    if (value === '' && dataset.in !== 'path') continue
    if (dataset.in === 'query') query.set(name, value)
    if (dataset.in === 'header') headers[name] = value
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
  }
  const { body } = form.elements
  if (body) headers['Content-Type'] = body.dataset.type
  const search = query.size > 0 ? `?${query}` : ''
  return [`${baseUrl}${path}${search}`, { method: form.dataset.method, headers, body: body?.value }]
}

/** Send variables as typed: parsing them would round an int64. */
function graphqlRequest({ elements }) {
  const headers = { ...keyHeader(), 'Content-Type': 'application/json' }
  const query = JSON.stringify(elements.document.value)
  const variables = elements.variables?.value.trim() || '{}'
  const body = `{"query":${query},"variables":${variables}}`
  return [new URL('graphql', new URL('/', baseUrl)).href, { method: 'POST', headers, body }]
}

const keyHeader = () => (key.value.trim() ? { Authorization: `Bearer ${key.value.trim()}` } : {})

async function send(form) {
  const outcome = form.querySelector('.outcome')
  const [url, request] = 'graphql' in form.dataset ? graphqlRequest(form) : restRequest(form)
  // No header can carry these characters: fetch would throw.
  const [faulty] = Object.entries(request.headers).find(([, value]) => /[^\x20-\xff]/.test(value)) ?? []
  if (faulty) {
    const field = faulty === 'Authorization' ? 'The API key' : `The header ${faulty}`
    outcome.replaceChildren(element('p', `${field} has a character that no header can carry.`, 'removal'))
    return
  }
  const requestBlock = block(requestText(url, request), 'Request')
  outcome.replaceChildren(requestBlock, element('p', 'Sending…', 'soft small'))
  const startedAt = performance.now()
  try {
    const answer = await fetch(url, { ...request, credentials: 'omit' })
    const text = await answer.text()
    const took = Math.round(performance.now() - startedAt)
    const status = element('p', '')
    status.append(
      element('span', String(answer.status), `status s${String(answer.status)[0]}`),
      ` in ${took} ms`,
    )
    const isJson = answer.headers.get('Content-Type')?.includes('json')
    const body = isJson && !answer.headers.get('Content-Type').includes('ndjson') ? indent(text) : text
    outcome.replaceChildren(requestBlock, status, block(headersText(answer), 'Headers'), block(body, 'Body'))
  } catch {
    outcome.replaceChildren(
      requestBlock,
      element('p', 'No response. Check that the service is running and that you’re online.', 'removal'),
    )
  }
}

/** Shows only the key's prefix, because people share screenshots of this page. */
function requestText(url, { method, headers, body }) {
  const lines = Object.entries(headers).map(([name, value]) =>
    name === 'Authorization' ? `${name}: ${value.slice(0, 16)}…` : `${name}: ${value}`,
  )
  return [`${method} ${url}`, ...lines, ...(body ? ['', body] : [])].join('\n')
}

function headersText({ headers }) {
  const worth = 'Location Link ETag Deprecation Sunset Retry-After X-RateLimit-Remaining X-Request-Id'
  return worth
    .split(' ')
    .flatMap(name => (headers.has(name) ? [`${name}: ${headers.get(name)}`] : []))
    .join('\n')
}

function block(text, name) {
  const pre = element('pre', '')
  pre.tabIndex = 0
  pre.setAttribute('aria-label', name)
  pre.append(element('code', text))
  return pre
}

/** Indents JSON without parsing it, because parsing would round an int64. */
function indent(text) {
  const literals = []
  let depth = 0
  const held = text.replace(/"(?:\\.|[^"\\])*"/g, literal => `\uE000${literals.push(literal) - 1}\uE000`)
  const line = () => `\n${'  '.repeat(depth)}`
  const shaped = held.replace(/[{}[\],:]/g, sign => {
    if (sign === ':') return ': '
    if (sign === ',') return sign + line()
    if (sign === '{' || sign === '[') {
      depth++
      return sign + line()
    }
    depth--
    return line() + sign
  })
  return shaped.replace(/\uE000(\d+)\uE000/g, (_whole, index) => literals[index])
}

for (const form of document.querySelectorAll('.try form')) {
  form.addEventListener('submit', event => {
    event.preventDefault()
    void send(form)
  })
}
