import { type FormEvent, useEffect, useState } from 'react'
import { forgetAttempt, noteAttempt } from '../app/attempt.ts'
import { takeOutcome } from '../app/issuer.ts'
import {
  type Access,
  fetchAccess,
  type Invited,
  notedProject,
  postSession,
  SessionError,
} from '../app/person.ts'
import icon from '../icon.svg'
import { t } from '../texts/pages.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { IssuerButton } from './issuer-button.tsx'

const allowed = {
  viewer: t.invitation.youWillSeeEverythingIn,
  developer: t.invitation.youWillBeAbleTo,
  owner: t.invitation.youWillBeAbleToDoEverything,
}

const place = 'animal-store.invitation'

/**
 * Takes the link's secret out of the fragment, which browsers send to no server, and keeps it in this tab until it is
 * used: after a reload, and after a visit to the identity provider, the page needs it again. React may call this several
 * times before it shows the page, and only the first call finds the fragment.
 */
function takeSecret(): string {
  // The way back from the identity provider leaves the reason of a refusal in the fragment.
  if (location.hash !== '' && !location.hash.startsWith('#refused:')) {
    sessionStorage.setItem(place, location.hash.slice(1))
    history.replaceState(null, '', location.pathname)
  }
  return sessionStorage.getItem(place) ?? ''
}

function unlessUsed(error: unknown): null {
  if (error instanceof SessionError && error.code === 'invitation_not_found') return null
  throw error
}

/** The page of an invitation's link. Opening the page does not use up the link; only its button does. */
export default function Invitation({ onJoined }: { onJoined(project: string): void }) {
  const [secret] = useState(takeSecret)
  const [invited, setInvited] = useState<Invited | null>(null)
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const [isNameRefused, setIsNameRefused] = useState(false)
  const showError = (error: unknown) =>
    setRefused(error instanceof Error ? error.message : t.invitation.linkWasRefused)
  const showTo = (access: Access | null) =>
    postSession<Invited>('/invitation/show', { secret }, access?.token)
  const show = async () => {
    // If a person is already signed in, get the person's token. The person then joins with the existing account and
    // types no name.
    return showTo(notedProject() === null ? null : await fetchAccess(notedProject()).catch(() => null))
  }
  useEffect(() => {
    document.title = t.invitation.invitationAnimalStore
    const { refused } = takeOutcome()
    setRefused(secret === '' ? t.invitation.openLinkOfInvitation : refused)
    if (secret !== '') show().then(setInvited, showError)
    // Browsers do not load the page again if somebody pastes a link into the address of this page.
    const reload = () => location.reload()
    addEventListener('hashchange', reload)
    return () => removeEventListener('hashchange', reload)
  }, [])
  const leaveFor = (project: string) => {
    sessionStorage.removeItem(place)
    onJoined(project)
  }
  const openedBy = invited?.openedBy
  const isMember = openedBy?.isMember === true
  const join = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || !invited) return
    if (isMember) return leaveFor(invited.project.slug)
    setBusy(true)
    setRefused(null)
    setIsNameRefused(false)
    try {
      // Get a new token, because the token from the start of this page lives only ten minutes.
      const access = openedBy ? await fetchAccess(notedProject()) : null
      if (openedBy && !access) {
        setRefused(t.signIn.yourSessionHasEndedSign)
        return setInvited({ ...invited, openedBy: null })
      }
      // Another person may have signed in in another tab. A used link cannot be shown, but an attempt whose answer was
      // lost can be repeated.
      const shown = openedBy ? await showTo(access).catch(unlessUsed) : null
      if (shown && shown.openedBy?.name !== openedBy?.name) {
        setRefused(t.invitation.anotherPersonHasSignedIn)
        return setInvited(shown)
      }
      const attempt = noteAttempt()
      const body = openedBy ? { secret, attempt } : { secret, name, attempt }
      const { project } = await postSession<{ project: string }>('/invitation', body, access?.token)
      forgetAttempt()
      leaveFor(project)
    } catch (error) {
      // The name is the only input that the person types.
      if (error instanceof SessionError && error.code === 'invalid_input') setIsNameRefused(true)
      else showError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <main className="sign-in">
      <form className="card" onSubmit={join} noValidate>
        <img src={icon} alt="" width="44" height="44" />
        <div className="stack-tight">
          <h1>
            {invited && !isMember ? t.invitation.joinName(invited.project.name) : t.invitation.invitation}
          </h1>
          {invited && !isMember && (
            <p className="soft">
              {invited.invitedBy
                ? t.invitation.invitesYouAs(invited.invitedBy, t.people.roles[invited.role])
                : t.invitation.youJoinAs(t.people.roles[invited.role])}{' '}
              {allowed[invited.role]}
            </p>
          )}
        </div>
        {refused && (
          <Notice tone="bad" alert>
            <p>{refused}</p>
          </Notice>
        )}
        {openedBy && (
          <p>
            {t.invitation.youAreSignedInAs(openedBy.name)} {isMember && t.invitation.youBelongToThisProject}
          </p>
        )}
        {invited && !openedBy && (
          <Field
            label={t.invitation.yourName}
            name="name"
            autoComplete="name"
            autoFocus
            value={name}
            onChange={event => setName(event.target.value)}
            hint={t.invitation.otherMembersSeeIt}
            error={isNameRefused ? t.people.enterNameOfAtMost : undefined}
          />
        )}
        {invited && (
          <Button kind="primary" type="submit" busy={busy}>
            {isMember ? t.invitation.openProject : busy ? t.invitation.joining : t.invitation.join}
          </Button>
        )}
        {invited && !openedBy && <IssuerButton invitation={secret} />}
        <p className="small soft">
          {t.signIn.signInInstead(signIn => (
            <a href="/dashboard/">{signIn}</a>
          ))}
        </p>
      </form>
    </main>
  )
}
