import { useEffect, useState } from 'react'
import { findIssuer, signInAtIssuer } from '../app/issuer.ts'
import icon from '../icon.svg'
import { t } from '../texts/pages.ts'
import { Notice } from '../ui/notice.tsx'
import { SignInButton } from './sign-in-button.tsx'

/**
 * The page to join a project without an invitation, for people with an e-mail address of certain domains. Opening the
 * page does not join the project. The page's button leads to the identity provider, where the person signs in and
 * joins.
 */
export default function Join({ project }: { project: string }) {
  const [host, setHost] = useState<string | null>()
  const [refused, setRefused] = useState<string | null>(null)
  useEffect(() => {
    document.title = t.people.joinAnimalStore
    findIssuer().then(setHost, error => setRefused(error.message))
  }, [])
  return (
    <main className="sign-in">
      <div className="card">
        <img src={icon} alt="" width="44" height="44" />
        <div className="stack-tight">
          <h1>{t.people.joinProject(project)}</h1>
          <p className="soft">
            {host === null ? t.people.serviceHasNoIdentityProvider : t.people.signInWithOrganization}
          </p>
        </div>
        {refused && (
          <Notice tone="bad" alert>
            <p>{refused}</p>
          </Notice>
        )}
        {host && (
          <SignInButton
            signIn={() => signInAtIssuer({ join: project })}
            refusal={t.signIn.identityProviderCannotBeReached}
          >
            {t.signIn.joinWith(host)}
          </SignInButton>
        )}
        <p className="small soft">
          {t.signIn.signInInstead(signIn => (
            <a href="/dashboard/">{signIn}</a>
          ))}
        </p>
      </div>
    </main>
  )
}
