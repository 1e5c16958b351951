import { useEffect, useState } from 'react'
import { findIssuer, signInAtIssuer } from '../app/issuer.ts'
import { t } from '../texts/index.ts'
import { SignInButton } from './sign-in-button.tsx'

/**
 * Signs in or accepts an invitation at the identity provider. Shows nothing if the service has no identity provider, or
 * does not answer.
 */
export function IssuerButton({ invitation }: { invitation?: string }) {
  const [host, setHost] = useState<string | null>(null)
  useEffect(() => void findIssuer().then(setHost, () => {}), [])
  if (host === null) return null
  return (
    <SignInButton
      signIn={() => signInAtIssuer(invitation === undefined ? {} : { invitation })}
      refusal={t.signIn.identityProviderCannotBeReached}
    >
      {(invitation === undefined ? t.signIn.signInWith : t.signIn.joinWith)(host)}
    </SignInButton>
  )
}
