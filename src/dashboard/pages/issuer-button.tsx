import { useEffect, useState } from 'react'
import { findIssuer, signInAtIssuer } from '../app/issuer.ts'
import { t } from '../texts/index.ts'
import { SignInButton } from './sign-in-button.tsx'

/** Signs in or joins a project at the identity provider. Shows nothing if the service has no identity provider. */
export function IssuerButton(how: { invitation?: string; join?: string }) {
  const [host, setHost] = useState<string | null>(null)
  useEffect(() => void findIssuer().then(setHost), [])
  if (host === null) return null
  return (
    <SignInButton signIn={() => signInAtIssuer(how)} refusal={t.signIn.identityProviderCannotBeReached}>
      {(how.invitation === undefined && how.join === undefined ? t.signIn.signInWith : t.signIn.joinWith)(
        host,
      )}
    </SignInButton>
  )
}
