import { useState } from 'react'
import { hasPasskeys } from '../app/person.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

/** Signs in with a passkey. If the browser allows none at this address, shows an address at which it does. */
export function PasskeyButton({ onSignedIn }: { onSignedIn(): void }) {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const signIn = async () => {
    setBusy(true)
    setRefused(null)
    try {
      const { signInByPasskey } = await import('../app/passkeys.ts')
      await signInByPasskey()
      onSignedIn()
    } catch (error) {
      setRefused(error instanceof Error ? error.message : 'The passkey was not accepted.')
    } finally {
      setBusy(false)
    }
  }
  if (!hasPasskeys()) {
    const isLocal = /^127\.|^\[::1\]$/.test(location.hostname)
    const local = `${location.protocol}//localhost:${location.port}/dashboard`
    return isLocal ? (
      <p className="small soft">
        Passkeys need a name in the address: open <a href={local}>{local}</a>.
      </p>
    ) : null
  }
  return (
    <div className="stack-tight">
      <Button onClick={signIn} busy={busy}>
        Sign in with a passkey
      </Button>
      {refused && (
        <Notice tone="bad" alert>
          <p>{refused}</p>
        </Notice>
      )}
    </div>
  )
}
