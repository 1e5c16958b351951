import type { ComponentType } from 'react'
import { onDemand } from '../app/on-demand.tsx'
import { t } from '../texts/index.ts'

/**
 * Defines a part of a page whose code is loaded when it is shown. If the code cannot be loaded, shows a sentence
 * instead of trying again, because browsers remember a failed import until the page is reloaded.
 */
export function part<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Placeholder: ComponentType = () => null,
) {
  return onDemand<Props>(() => load().catch(() => ({ default: Missing })), Placeholder)
}

const Missing = () => <p className="soft">{t.ui.partOfThisPageCouldNot}</p>
