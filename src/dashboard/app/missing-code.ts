import { type ComponentType, lazy } from 'react'

/**
 * Thrown if the code of a page could not be loaded, because the service is unavailable or a release renamed the file
 * while the tab was open.
 */
export class MissingCode extends Error {}

const reloaded = 'animal-store.reloaded'

/** Defines a page whose code is loaded on the first visit. */
export function page<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy<ComponentType<Props>>(async () => {
    const code = await load().catch(cause => {
      throw new MissingCode('The code of this page is missing.', { cause })
    })
    sessionStorage.removeItem(reloaded)
    return code
  })
}

/**
 * Reloads the page, which knows the file names of a new release. Waits until the service answers, because otherwise the
 * browser would show its own error page.
 */
export async function reloadOnceAnswered(): Promise<boolean> {
  const answered = await fetch('/dashboard/', { method: 'HEAD', cache: 'no-store' }).then(
    answer => answer.ok,
    () => false,
  )
  if (answered) location.reload()
  return answered
}

/** Reloads once automatically. If the code is still missing afterwards, the reader has to click. */
export function reloadByItself(): void {
  if (sessionStorage.getItem(reloaded)) return
  sessionStorage.setItem(reloaded, 'yes')
  void reloadOnceAnswered().then(answered => {
    if (!answered) sessionStorage.removeItem(reloaded)
  })
}
