import { hasPasskeys } from '../app/person.ts'
import { t } from '../texts/index.ts'
import { SignInButton } from './sign-in-button.tsx'

/**
 * Signs in with a passkey. If the browser does not allow passkeys at this address, shows an address at which it does.
 */
export function PasskeyButton({ onSignedIn }: { onSignedIn(): void }) {
  const signIn = async () => {
    const { signInByPasskey } = await import('../app/passkeys.ts')
    await signInByPasskey()
    onSignedIn()
  }
  if (!hasPasskeys()) {
    const isLocal = /^127\.|^\[::1\]$/.test(location.hostname)
    const local = `${location.protocol}//localhost:${location.port}/dashboard`
    return isLocal ? (
      <p className="small soft">{t.signIn.passkeysNeedNameInAddress(<a href={local}>{local}</a>)}</p>
    ) : null
  }
  return (
    <SignInButton signIn={signIn} refusal={t.signIn.passkeyWasNotAccepted}>
      {t.signIn.signInWithPasskey}
    </SignInButton>
  )
}
