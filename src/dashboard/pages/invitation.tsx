import { type FormEvent, useEffect, useState } from 'react'
import { fetchAccess, type Invited, notedProject, postSession } from '../app/person.ts'
import icon from '../icon.svg'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { IssuerButton } from './issuer-button.tsx'

const allowed = {
  viewer: 'You will see everything in the project and change nothing.',
  developer: 'You will be able to do everything except changing the members.',
  owner: 'You will be able to do everything.',
}

/** The link's secret is in the fragment, which browsers send to no server. It is read once and removed. */
function readSecret(): string {
  const secret = location.hash.slice(1)
  history.replaceState(null, '', location.pathname)
  return secret
}

/** The page of an invitation's link. Only its button uses the link up. */
export default function Invitation({ onJoined }: { onJoined(project: string): void }) {
  const [secret] = useState(readSecret)
  const [invited, setInvited] = useState<Invited | null>(null)
  const [bearer, setBearer] = useState<string | null>(null)
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const showError = (error: unknown) =>
    setRefused(error instanceof Error ? error.message : 'The link was refused.')
  useEffect(() => {
    document.title = 'Invitation · Animal Store'
    postSession<Invited>('/invitation/show', { secret }).then(setInvited, showError)
    // A person who is signed in joins as the same person.
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
      const body = bearer ? { secret } : { secret, name }
      const { project } = await postSession<{ project: string }>('/invitation', body, bearer ?? undefined)
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
          <h1>{invited ? `Join ${invited.project.name}` : 'Invitation'}</h1>
          {invited && (
            <p className="soft">
              {invited.invitedBy
                ? `${invited.invitedBy} invites you as ${invited.role}.`
                : `You join as ${invited.role}.`}{' '}
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
            label="Your name"
            name="name"
            autoComplete="name"
            autoFocus
            value={name}
            onChange={event => setName(event.target.value)}
            hint="The other members see it."
          />
        )}
        {invited && (
          <Button kind="primary" type="submit" busy={busy}>
            {busy ? 'Joining…' : 'Join'}
          </Button>
        )}
        {invited && !bearer && <IssuerButton invitation={secret} />}
        <p className="small soft">
          <a href="/dashboard/">Sign in</a> instead
        </p>
      </form>
    </main>
  )
}
