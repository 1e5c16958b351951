import { type FormEvent, useEffect, useState } from 'react'
import { forgetAttempt, noteAttempt } from '../app/attempt.ts'
import { fetchAccess, type Invited, notedProject, postSession } from '../app/person.ts'
import icon from '../icon.svg'
import { t } from '../texts/pages.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { IssuerButton } from './issuer-button.tsx'

const allowed = {
  viewer: t.signIn.youWillSeeEverythingIn,
  developer: t.signIn.youWillBeAbleTo,
  owner: t.signIn.youWillBeAbleToDoEverything,
}

let taken = ''

/**
 * Takes the link's secret out of the fragment, which browsers send to no server. React may call this several times
 * before it shows the page, and only the first call finds the fragment.
 */
function takeSecret(): string {
  if (location.hash !== '') {
    taken = location.hash.slice(1)
    history.replaceState(null, '', location.pathname)
  }
  return taken
}

/** The page of an invitation's link. Opening the page does not use up the link; only its button does. */
export default function Invitation({ onJoined }: { onJoined(project: string): void }) {
  const [secret] = useState(takeSecret)
  const [invited, setInvited] = useState<Invited | null>(null)
  const [bearer, setBearer] = useState<string | null>(null)
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const showError = (error: unknown) =>
    setRefused(error instanceof Error ? error.message : t.signIn.linkWasRefused)
  useEffect(() => {
    document.title = t.signIn.invitationAnimalStore
    postSession<Invited>('/invitation/show', { secret }).then(setInvited, showError)
    // If a person is already signed in, get the person's token. The person then joins with the existing account and
    // types no name.
    if (notedProject() !== null)
      fetchAccess(notedProject()).then(
        access => setBearer(access?.token ?? null),
        () => {},
      )
  }, [])
  const join = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setRefused(null)
    try {
      const attempt = noteAttempt()
      const body = bearer ? { secret, attempt } : { secret, name, attempt }
      const { project } = await postSession<{ project: string }>('/invitation', body, bearer ?? undefined)
      forgetAttempt()
      onJoined(project)
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <main className="sign-in">
      <form className="card" onSubmit={join} noValidate>
        <img src={icon} alt="" width="44" height="44" />
        <div className="stack-tight">
          <h1>{invited ? t.signIn.joinName(invited.project.name) : t.signIn.invitation}</h1>
          {invited && (
            <p className="soft">
              {invited.invitedBy
                ? t.signIn.invitesYouAs(invited.invitedBy, t.people.roles[invited.role])
                : t.signIn.youJoinAs(t.people.roles[invited.role])}{' '}
              {allowed[invited.role]}
            </p>
          )}
        </div>
        {refused && (
          <Notice tone="bad" alert>
            <p>{refused}</p>
          </Notice>
        )}
        {invited && !bearer && (
          <Field
            label={t.signIn.yourName}
            name="name"
            autoComplete="name"
            autoFocus
            value={name}
            onChange={event => setName(event.target.value)}
            hint={t.signIn.otherMembersSeeIt}
          />
        )}
        {invited && (
          <Button kind="primary" type="submit" busy={busy}>
            {busy ? t.signIn.joining : t.signIn.join}
          </Button>
        )}
        {invited && !bearer && <IssuerButton invitation={secret} />}
        <p className="small soft">
          {t.signIn.signInInstead(signIn => (
            <a href="/dashboard/">{signIn}</a>
          ))}
        </p>
      </form>
    </main>
  )
}
