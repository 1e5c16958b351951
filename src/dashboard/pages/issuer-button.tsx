import { useEffect, useState } from 'react'
import { findIssuer, signInAtIssuer } from '../app/issuer.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

/** Signs in at the identity provider, or joins a project there with an invitation. Shows nothing if there is none. */
export function IssuerButton({ invitation }: { invitation?: string }) {
  const [host, setHost] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  useEffect(() => void findIssuer().then(setHost), [])
  if (host === null) return null
  const go = async () => {
    setBusy(true)
    setRefused(null)
    try {
      await signInAtIssuer(invitation)
    } catch (error) {
      setRefused(error instanceof Error ? error.message : 'The identity provider cannot be reached.')
      setBusy(false)
    }
  }
  return (
    <div className="stack-tight">
      <Button onClick={go} busy={busy}>
        {invitation === undefined ? 'Sign in' : 'Join'} with {host}
      </Button>
      {refused && (
        <Notice tone="bad" alert>
          <p>{refused}</p>
        </Notice>
      )}
    </div>
  )
}
