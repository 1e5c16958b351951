import { type ComponentType, lazy } from 'react'

/** Code of a page that did not come: the service is away, or a release has renamed it under an open tab. */
export class MissingCode extends Error {}

const reloaded = 'animal-store.reloaded'

/** A page whose code is loaded when it is first looked at. */
export function page(load: () => Promise<{ default: ComponentType }>) {
  return lazy(async () => {
    const code = await load().catch(cause => {
      throw new MissingCode('The code of this page is missing.', { cause })
    })
    sessionStorage.removeItem(reloaded)
    return code
  })
}

/** Only a page loaded anew knows the names of a new release; while nobody answers it would be the browser's own error. */
export async function reloadOnceAnswered(): Promise<boolean> {
  const answered = await fetch('/dashboard/', { method: 'HEAD', cache: 'no-store' }).then(
    answer => answer.ok,
    () => false,
  )
  if (answered) location.reload()
  return answered
}

/** The same by itself, but a page that is still missing afterwards is left to the reader. */
export function reloadByItself(): void {
  if (sessionStorage.getItem(reloaded)) return
  sessionStorage.setItem(reloaded, 'yes')
  void reloadOnceAnswered().then(answered => {
    if (!answered) sessionStorage.removeItem(reloaded)
  })
}
