import type { ComponentType } from 'react'
import { Loading } from '../ui/states.tsx'
import { onDemand } from './on-demand.tsx'

/**
 * Thrown if the code of a page could not be loaded, because the service is unavailable or a release renamed the file
 * while the tab was open.
 */
export class MissingCode extends Error {}

const reloaded = 'animal-store.reloaded'

/** Defines a page whose code is loaded on the first visit. If the code is missing, the page throws `MissingCode`. */
export function page<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const loadPage = () =>
    load().then(
      code => {
        sessionStorage.removeItem(reloaded)
        return code
      },
      cause => ({
        default: () => {
          throw new MissingCode('The code of this page is missing.', { cause })
        },
      }),
    )
  return onDemand<Props>(loadPage, Loading)
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
