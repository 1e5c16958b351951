import type { ReactNode } from 'react'

export function Badge({
  tone = 'still',
  children,
}: {
  tone?: 'still' | 'good' | 'wait' | 'bad' | 'plain'
  children: ReactNode
}) {
  return <span className={`badge ${tone}`}>{children}</span>
}
