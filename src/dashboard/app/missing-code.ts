import { type ComponentType, lazy } from 'react'

/** The code of a page did not load: the service is away, or a release renamed the file while the tab was open. */
export class MissingCode extends Error {}

const reloaded = 'animal-store.reloaded'

/** A page whose code is loaded on the first visit. */
export function page(load: () => Promise<{ default: ComponentType }>) {
  return lazy(async () => {
    const code = await load().catch(cause => {
      throw new MissingCode('The code of this page is missing.', { cause })
    })
    sessionStorage.removeItem(reloaded)
    return code
  })
}

/**
 * Only a reloaded page knows the file names of a new release. Reload only once the service answers, to avoid the
 * browser's own error page.
 */
export async function reloadOnceAnswered(): Promise<boolean> {
  const answered = await fetch('/dashboard/', { method: 'HEAD', cache: 'no-store' }).then(
    answer => answer.ok,
    () => false,
  )
  if (answered) location.reload()
  return answered
}

/** Reloads once without a click. If the code is still missing afterwards, the reader decides. */
export function reloadByItself(): void {
  if (sessionStorage.getItem(reloaded)) return
  sessionStorage.setItem(reloaded, 'yes')
  void reloadOnceAnswered().then(answered => {
    if (!answered) sessionStorage.removeItem(reloaded)
  })
}
