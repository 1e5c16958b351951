// Ranks the places of the reference for a search. A title counts more than a text, a whole word more than a part or a typo.

/** Words that people type, and the words that the reference uses instead. */
const synonyms = {
  pagination: ['cursor', 'link'],
  paging: ['pagination', 'cursor'],
  page: ['pagination', 'cursor'],
  offset: ['pagination', 'cursor'],
  ratelimit: ['limit', 'limits', '429'],
  throttle: ['limit', '429'],
  quota: ['limit', 'limits'],
  429: ['rate_limited', 'limits'],
  retry: ['retries', 'idempotency'],
  idempotent: ['idempotency', 'retries'],
  etag: ['match', 'version'],
  auth: ['authentication', 'key'],
  token: ['key', 'bearer'],
  login: ['authentication', 'key'],
  animal: ['pet'],
  animals: ['pets'],
  hook: ['webhook'],
  hooks: ['webhooks'],
  signature: ['verify', 'webhook'],
  sse: ['stream', 'events'],
}

const wordsOf = text => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** True if one letter is missing, added, changed or swapped with its neighbour. */
export function isNearly(typed, word) {
  if (typed.length < 4 || Math.abs(typed.length - word.length) > 1) return false
  let start = 0
  while (start < typed.length && typed[start] === word[start]) start++
  const [a, b] = [typed.slice(start), word.slice(start)]
  return (
    a.slice(1) === b.slice(1) ||
    a.slice(1) === b ||
    a === b.slice(1) ||
    (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
  )
}

function scoreOf(typed, words) {
  let best = 0
  for (const word of words) {
    if (word === typed) return 10
    if (word.startsWith(typed)) best = Math.max(best, 6)
    else if (typed.length > 2 && word.includes(typed)) best = Math.max(best, 3)
    else if (best < 2 && isNearly(typed, word)) best = 2
  }
  return best
}

/**
 * Scores one typed word at a place. A word in the title counts five times as much as a word in the text, and a synonym
 * counts half.
 */
function scoreAt(typed, { titleWords, textWords }) {
  const score = word => Math.max(5 * scoreOf(word, titleWords), scoreOf(word, textWords))
  const others = Object.hasOwn(synonyms, typed) ? synonyms[typed] : []
  return Math.max(score(typed), ...others.map(other => score(other) / 2))
}

/** Prepares a place for searching. `createPet` is found as "create pet" too. */
export function prepare(place) {
  const split = text => text.replace(/([a-z\d])([A-Z])/g, '$1 $2')
  const titleWords = wordsOf(`${place.title} ${split(place.title)} ${place.id} ${split(place.id)}`)
  return { ...place, titleWords, textWords: wordsOf(place.text) }
}

/** Returns the places that have every typed word, the best ones first. */
export function rank(places, query) {
  const typed = wordsOf(query.replace(/rate[ -]?limit(s|ing)?\b/i, 'ratelimit'))
  if (typed.length === 0) return []
  return places
    .map((place, order) => {
      const scores = typed.map(word => scoreAt(word, place))
      const isWhole = [place.title, place.id].some(name => name.toLowerCase() === query.trim().toLowerCase())
      const sum = scores.reduce((total, score) => total + score, isWhole ? 100 : 0)
      return { place, order, score: scores.includes(0) ? 0 : sum + (place.door === 'Guide' ? 30 : 0) }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.order - b.order)
    .map(({ place }) => place)
}

/** The part of a place's text around the first typed word. */
export function excerptOf({ text }, query) {
  const at = Math.min(
    ...wordsOf(query)
      .map(word => text.toLowerCase().indexOf(word))
      .filter(found => found >= 0),
  )
  const from = Number.isFinite(at) ? Math.max(0, at - 40) : 0
  const part = text.slice(from, from + 110)
  return `${from > 0 ? '…' : ''}${part}${from + 110 < text.length ? '…' : ''}`
}
