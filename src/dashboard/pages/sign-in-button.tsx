import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

type Props = {
  /** Signs in and leaves the page. Throws an error with the reason if the sign-in is refused. */
  signIn(): Promise<void>
  /** Shown if the error gives no reason. */
  refusal: string
  children: ReactNode
}

/** A button that signs in. Shows below it why the last attempt was refused. */
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
