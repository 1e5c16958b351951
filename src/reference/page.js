// The reference in the browser: opens what a link points into, and sends what "Try it" asks for.
const place = 'animal-store.key'
const key = document.getElementById('key')
const baseUrl = document.body.dataset.baseUrl

key.value = sessionStorage.getItem(place) ?? ''
key.addEventListener('input', () => sessionStorage.setItem(place, key.value.trim()))
key.form.addEventListener('submit', event => event.preventDefault())

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target instanceof HTMLDetailsElement) target.open = true
  target?.scrollIntoView()
}
addEventListener('hashchange', openTarget)
if (location.hash) openTarget()

function element(name, text, className) {
  const made = document.createElement(name)
  made.textContent = text
  if (className) made.className = className
  return made
}

function requestOf(form) {
  const headers = {}
  if (key.value.trim()) headers.Authorization = `Bearer ${key.value.trim()}`
  const query = new URLSearchParams()
  let path = form.dataset.path
  for (const { name, value, dataset } of form.querySelectorAll('[data-in]')) {
    if (value === '' && dataset.in !== 'path') continue
    if (dataset.in === 'query') query.set(name, value)
    if (dataset.in === 'header') headers[name] = value
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
  }
  const body = form.elements.body?.value
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const search = query.size > 0 ? `?${query}` : ''
  return [`${baseUrl}${path}${search}`, { method: form.dataset.method, headers, body, credentials: 'omit' }]
}

async function send(form) {
  const outcome = form.querySelector('.outcome')
  outcome.replaceChildren(element('p', 'Sending…', 'soft small'))
  const [url, request] = requestOf(form)
  const startedAt = performance.now()
  try {
    const answer = await fetch(url, request)
    const text = await answer.text()
    const took = Math.round(performance.now() - startedAt)
    const shown = [
      'Location',
      'Link',
      'Deprecation',
      'Sunset',
      'Retry-After',
      'X-RateLimit-Remaining',
      'X-Request-Id',
    ]
      .flatMap(name => (answer.headers.has(name) ? [`${name}: ${answer.headers.get(name)}`] : []))
      .join('\n')
    const status = element('p', '')
    status.append(
      element('span', String(answer.status), `status s${String(answer.status)[0]}`),
      ` in ${took} ms`,
    )
    outcome.replaceChildren(status, block(shown, 'Headers'), block(indent(text), 'Body'))
  } catch {
    outcome.replaceChildren(
      element('p', 'No answer came. Is the service running, and are you online?', 'removal'),
    )
  }
}

function block(text, name) {
  const pre = element('pre', '')
  pre.tabIndex = 0
  pre.setAttribute('aria-label', name)
  pre.append(element('code', text))
  return pre
}

/** Line by line, without reading numbers, which would lose the digits of an int64. */
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

for (const form of document.querySelectorAll('form[data-path]')) {
  form.addEventListener('submit', event => {
    event.preventDefault()
    void send(form)
  })
}
