import { useEffect } from 'react'
import icon from '../icon.svg'
import { t } from '../texts/pages.ts'
import { IssuerButton } from './issuer-button.tsx'

/**
 * The page to join a project without an invitation, for people with an e-mail address of certain domains. Opening the
 * page does not join the project. The page's button leads to the identity provider, where the person signs in and
 * joins.
 */
export default function Join({ project }: { project: string }) {
  useEffect(() => {
    document.title = t.people.joinAnimalStore
  }, [])
  return (
    <main className="sign-in">
      <div className="card">
        <img src={icon} alt="" width="44" height="44" />
        <div className="stack-tight">
          <h1>{t.people.joinProject(project)}</h1>
          <p className="soft">{t.people.signInWithOrganization}</p>
        </div>
        <IssuerButton join={project} />
        <p className="small soft">
          {t.signIn.signInInstead(signIn => (
            <a href="/dashboard/">{signIn}</a>
          ))}
        </p>
      </div>
    </main>
  )
}
