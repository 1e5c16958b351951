// Search over everything with a URL: "/" starts, arrows choose, Enter opens, Escape ends.
const searchField = document.getElementById('search')
const found = document.getElementById('found')
const mostFound = 12

/** Title and full text of each place. */
const places = [
  ...document.querySelectorAll('article[id], section.type[id], details.type[id], h2[id], tr[id]'),
].map(at => {
  const heading = at.querySelector('h3, h4, summary, th') ?? at
  const title = heading.textContent
    .replace(/\s*#(?=\s|$)/, '')
    .replace(/\s+/g, ' ')
    .trim()
  const line = at.querySelector('.line')?.textContent.replace(/\s+/g, ' ').trim()
  return {
    id: at.id,
    title: line ? `${title} · ${line}` : title,
    text: `${at.id} ${at.textContent}`.toLowerCase(),
  }
})

function find(words) {
  const holds = text => words.every(word => text.includes(word))
  const named = places.filter(({ title, id }) => holds(`${title} ${id}`.toLowerCase()))
  const inText = places.filter(place => !named.includes(place) && holds(place.text))
  return [...named, ...inText].slice(0, mostFound)
}

function showFound() {
  const words = searchField.value.toLowerCase().split(/\s+/).filter(Boolean)
  const results = words.length > 0 ? find(words) : []
  found.replaceChildren(...results.map(showPlace))
  if (words.length > 0 && results.length === 0) found.append(element('li', 'Nothing found.', 'soft small'))
  found.hidden = words.length === 0
}

function showPlace({ id, title }) {
  const link = element('a', title)
  link.href = `#${id}`
  const item = document.createElement('li')
  item.append(link)
  return item
}

function endSearch() {
  searchField.value = ''
  showFound()
}

searchField.addEventListener('input', showFound)
searchField.form.addEventListener('submit', event => {
  event.preventDefault()
  found.querySelector('a')?.click()
})
found.addEventListener('click', ({ target }) => {
  if (target.closest('a')) endSearch()
})
searchField.form.addEventListener('keydown', event => {
  if (event.key === 'Escape') endSearch()
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  const stops = [searchField, ...found.querySelectorAll('a')]
  const next = stops.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1)
  stops[(next + stops.length) % stops.length].focus()
})
addEventListener('keydown', event => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName)
  if (event.key !== '/' || typing || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  searchField.focus()
})
