const place = 'animal-store.attempt'

/**
 * Returns a random value that identifies this browser's attempt to join. If the answer is lost, the browser sends the
 * value again, even after a reload, and gets its session. The value is useless without the invitation's link.
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
