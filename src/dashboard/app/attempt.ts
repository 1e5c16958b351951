const place = 'animal-store.attempt'

/**
 * Returns a random value by which this browser repeats a joining whose answer it did not get, also after a reload. It
 * is worth nothing without the link.
 */
export function noteAttempt(): string {
  const noted = localStorage.getItem(place)
  if (noted !== null) return noted
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const made = btoa(String.fromCharCode(...bytes)).replace(
    /[+/=]/g,
    character => ({ '+': '-', '/': '_' })[character] ?? '',
  )
  localStorage.setItem(place, made)
  return made
}

export const forgetAttempt = () => localStorage.removeItem(place)
