import type { ReactNode } from 'react'
import { GoodIcon, InfoIcon, StopIcon, WarnIcon } from './icons.tsx'

export type Tone = 'info' | 'good' | 'wait' | 'bad'
const icons = { info: InfoIcon, good: GoodIcon, wait: WarnIcon, bad: StopIcon }

type Props = { tone?: Tone; title?: ReactNode; children?: ReactNode; alert?: boolean }

/**
 * With `alert`, screen readers read the notice as soon as the notice appears. Omit `alert` if the notice is already on
 * the page when the page opens.
 */
export function Notice({ tone = 'info', title, children, alert = false }: Props) {
  const Icon = icons[tone]
  return (
    <div className={`notice ${tone}`} role={alert ? (tone === 'bad' ? 'alert' : 'status') : undefined}>
      <Icon />
      <div className="body">
        {title && <p className="title">{title}</p>}
        {children}
      </div>
    </div>
  )
}
