import { type ComponentType, lazy } from 'react'
import { t } from '../texts/index.ts'

/**
 * Defines a part of a page whose code is loaded when it is shown. If the code cannot be loaded, shows a sentence
 * instead of trying again, because browsers remember a failed import until the page is reloaded.
 */
export function part<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy<ComponentType<Props>>(() => load().catch(() => ({ default: Missing })))
}

const Missing = () => <p className="soft">{t.ui.partOfThisPageCouldNot}</p>
