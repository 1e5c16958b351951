/** The session storage holds each draft under a name that begins with this. */
export const draftPrefix = 'animal-store.draft.'

/** Forgets what was typed into forms, when the reader signs out. */
export function forgetDrafts(): void {
  const names = Array.from({ length: sessionStorage.length }, (_, index) => sessionStorage.key(index) ?? '')
  for (const name of names) if (name.startsWith(draftPrefix)) sessionStorage.removeItem(name)
}
