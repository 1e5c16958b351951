/** Relay keeps one record an id over all types, so that an id says what it is; a pet's is its number, as over REST. */
type Kind = 'project' | 'plan' | 'budget' | 'key' | 'domain' | 'deploy'

export function makeId(kind: Kind, own: string | number): string {
  return `${kind}_${own}`
}

/** What the id says behind its kind, or null where it is of another kind. */
export function readId(kind: Kind, id: string): string | null {
  return id.startsWith(`${kind}_`) ? id.slice(kind.length + 1) : null
}

/** A pet's id is its number, and what has a number for an id costs what a pet costs. */
export const isPetId = (id: string) => /^-?\d+$/.test(id)

/** Deploys are numbered. */
export function readDeployId(id: string): number | null {
  const number = readId('deploy', id)
  return number !== null && /^[1-9]\d{0,9}$/.test(number) ? Number(number) : null
}
