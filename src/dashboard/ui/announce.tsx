import { createContext, type ReactNode, use, useRef, useState } from 'react'

const AnnounceContext = createContext<(text: string) => void>(() => {})

/** Says something to screen readers that others see for themselves. */
export const useAnnounce = () => use(AnnounceContext)

export function Announcer({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState('')
  const again = useRef(false)
  const announce = (text: string) => {
    // The same words twice would be one change and be read once.
    again.current = !again.current
    setSaid(again.current ? text : `${text}\u00a0`)
  }
  return (
    <AnnounceContext value={announce}>
      {children}
      <div className="sr" role="status">
        {said}
      </div>
    </AnnounceContext>
  )
}
