// The reference's script: stores the reader's key, and expands the target of a link.
const place = 'animal-store.reference-key'
/**
 * The sessionStorage entry in which the dashboard stores the key of its tab. Never write it: the dashboard signs in
 * with it.
 */
const dashboardPlace = 'animal-store.key'
const key = document.getElementById('key')
const baseUrl = document.body.dataset.baseUrl

key.value = sessionStorage.getItem(place) ?? sessionStorage.getItem(dashboardPlace) ?? ''
key.addEventListener('input', () => sessionStorage.setItem(place, key.value.trim()))
key.form.addEventListener('submit', event => event.preventDefault())

/** Returns the id that the address names; empty if its percent-encoding is invalid. */
function idInAddress() {
  try {
    return decodeURIComponent(location.hash.slice(1))
  } catch {
    return ''
  }
}

function openTarget() {
  const target = document.getElementById(idInAddress())
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
