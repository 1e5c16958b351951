import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

type Props = {
  /** Signs in and leaves the page. Throws why it was refused. */
  signIn(): Promise<void>
  /** Shown if the error says nothing. */
  refusal: string
  children: ReactNode
}

/** A button that signs in, with the refusal of the last try below. */
export function SignInButton({ signIn, refusal, children }: Props) {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const go = async () => {
    setBusy(true)
    setRefused(null)
    try {
      await signIn()
    } catch (error) {
      setRefused(error instanceof Error ? error.message : refusal)
      setBusy(false)
    }
  }
  return (
    <div className="stack-tight">
      <Button onClick={go} busy={busy}>
        {children}
      </Button>
      {refused && (
        <Notice tone="bad" alert>
          <p>{refused}</p>
        </Notice>
      )}
    </div>
  )
}
