// Search over all pages: "/" or Ctrl+K starts, arrows choose, Enter opens, Escape ends.
const searchField = document.getElementById('search')
const found = document.getElementById('found')
const mostFound = 12

let loading
/** Loads the index at the first search, because most readers never search. Null if it cannot be loaded now. */
const loadPlaces = () => {
  loading ??= fetchPlaces().catch(() => {
    // Let the next search try again.
    loading = undefined
    return null
  })
  return loading
}

async function fetchPlaces() {
  const answer = await fetch('/reference/search.json')
  if (!answer.ok) throw new Error(`The index was answered with ${answer.status}.`)
  return (await answer.json()).map(prepare)
}

const addressOf = ({ page, id }) => `${page === '' ? document.body.dataset.home : `/reference/${page}`}#${id}`

async function showFound() {
  const query = searchField.value
  const isQuery = query.trim() !== ''
  found.hidden = !isQuery
  if (!isQuery) return found.replaceChildren()
  const places = await loadPlaces()
  if (query !== searchField.value) return
  const results = rank(places ?? [], query).slice(0, mostFound)
  found.replaceChildren(...results.map(place => showPlace(place, query)))
  if (results.length > 0) return
  const message = places ? 'Nothing found.' : 'The search cannot be loaded now. Keep typing to try again.'
  found.append(element('li', message, 'soft small'))
}

function showPlace(place, query) {
  const link = element('a', '')
  link.href = addressOf(place)
  link.append(element('span', place.door, 'badge plain'), ` ${place.title}`)
  link.append(element('span', excerptOf(place, query), 'excerpt small soft'))
  const item = document.createElement('li')
  item.append(link)
  return item
}

function endSearch() {
  searchField.value = ''
  showFound()
}

searchField.addEventListener('focus', loadPlaces)
searchField.addEventListener('input', showFound)
searchField.form.addEventListener('submit', async event => {
  event.preventDefault()
  await showFound()
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
  const isControlK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
  const isSlash = event.key === '/' && !typing && !event.ctrlKey && !event.metaKey
  if (!isControlK && !isSlash) return
  event.preventDefault()
  searchField.focus()
})

// If the current page lacks the place that the address names, opens the page that has the place. Links to earlier
// versions of the reference name a place without a page, because the whole reference was on a single page.
async function openOtherPage() {
  const id = idInAddress()
  if (id === '' || document.getElementById(id)) return
  const place = (await loadPlaces())?.find(other => other.id === id)
  if (place) location.replace(addressOf(place))
}
addEventListener('hashchange', openOtherPage)
openOtherPage()
