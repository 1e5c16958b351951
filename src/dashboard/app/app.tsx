import { useEffect, useMemo, useRef, useState } from 'react'
import { Provider } from 'urql'
import { SignIn } from '../pages/sign-in.tsx'
import { t } from '../texts/index.ts'
import { type Announcements, Announcer } from '../ui/announce.tsx'
import { part } from '../ui/part.tsx'
import { makeClient } from './client.ts'
import { type Credential, credentialOf, type PersonCredential } from './credential.ts'
import { forgetDrafts } from './forget-drafts.ts'
import { announceSignedOut, askOtherTabs, handOver } from './hand-over.ts'
import { takeOutcome } from './issuer.ts'
import { Invitation, isInvitation, Join, projectToJoin } from './joining.tsx'
import { useKeepOpen } from './keep-open.tsx'
import {
  asOperator,
  endSession,
  fetchAccess,
  forgetSession,
  leaveSession,
  notedProject,
  noteSession,
  projectOfTab,
} from './person.ts'
import { placeOf, RouterProvider } from './router.tsx'
import { forgetKey, rememberedKey, rememberKey, type Session, SessionContext } from './session.ts'
import { Shell } from './shell.tsx'
import { type Opening, openSession } from './sign-in.ts'
import { loadView } from './views.tsx'

const LastSignOut = part(() => import('../pages/people/last-sign-out.tsx'))

/** Forgets which key or person this tab belongs to. */
function forgetTab(): void {
  forgetKey()
  leaveSession()
}

type State = {
  session: Session | null
  opening: boolean
  refused: string | null
  /** Repeats the sign-in. Null if the reader types a key into the form. */
  again: (() => void) | null
}

/** Everything except the pages to sign in requires a key or a session that the store has accepted. */
export function App() {
  const [state, setState] = useState<State>({
    session: null,
    // Show the form also while this tab asks other tabs for their key.
    opening: (rememberedKey() ?? notedProject()) !== null,
    refused: null,
    again: () => void start(),
  })
  const hasChosen = useRef(false)
  const isSigningOut = useRef(false)
  const announcements = useRef<Announcements>(null)
  const keepOpen = useKeepOpen()

  const signOut = (refused: string | null) => {
    // If the reader signs out, here or in another tab, forget the drafts and close the dialogs that show secrets. If the
    // key or the session has ended, leave these dialogs open, because the secrets are not shown again.
    if (refused === null) {
      forgetDrafts()
      keepOpen(null)
    }
    forgetTab()
    setState({ session: null, opening: false, refused, again: null })
  }
  /**
   * Signs out because the service refuses the key or the session. Does nothing while the reader signs out, because the
   * refusal is then expected.
   */
  const signOutRefused = (refused: string) => {
    if (!isSigningOut.current) signOut(refused)
  }
  const signOutEverywhere = async (key: Credential, ask = true) => {
    if (typeof key === 'string') announceSignedOut(key)
    else if (!(await endSessionOf(key, ask))) return
    signOut(null)
  }
  /** Returns false if the session is still open, because the person must confirm it or the service could not end it. */
  const endSessionOf = async (person: PersonCredential, ask: boolean): Promise<boolean> => {
    isSigningOut.current = true
    // First send the deletions that wait for undo, because the service would refuse them after the end of the session.
    await announcements.current?.settleAll()
    try {
      const { signOutAt, mustAsk } = await endSession(await person.bearer(), ask)
      if (mustAsk) {
        keepOpen(close => (
          <LastSignOut onClose={close} onSure={() => void signOutEverywhere(person, false)} />
        ))
        return false
      }
      forgetSession()
      if (signOutAt) location.assign(signOutAt)
      return true
    } catch (error) {
      const why = error instanceof Error ? error.message : ''
      announcements.current?.announce(t.signIn.youAreStillSignedIn(why), undefined, { isProblem: true })
      return false
    } finally {
      isSigningOut.current = false
    }
  }
  const signIn = async (key: Credential, again: State['again']) => {
    hasChosen.current = true
    setState({ session: null, opening: true, refused: null, again })
    const place = placeOf(location.pathname)
    // Load the code of the page while the service answers.
    void loadView(place, false)
    const outcome: Opening = await openSession(key)
    if ('refused' in outcome) {
      if (outcome.final) forgetTab()
      return setState({
        ...{ session: null, opening: false, refused: outcome.refused },
        again: outcome.final ? null : again,
      })
    }
    await loadView(place, outcome.operator)
    // Remember the key or the person, so that a reload of the tab signs in again.
    forgetTab()
    if (typeof key === 'string') rememberKey(key)
    else noteSession(key.access.project ?? asOperator)
    setState({
      session: {
        ...{ ...outcome, key },
        signOut: () => void signOutEverywhere(key),
        openProject: slug => {
          // Operators and members have different URLs, so go back to the start page.
          if (outcome.operator || slug === asOperator) history.replaceState(null, '', '/dashboard/')
          void signInAsPerson(slug)
        },
        openAnotherProject: () => {
          history.replaceState(null, '', '/dashboard/')
          void signInAsPerson(null)
        },
      },
      opening: false,
      refused: null,
      again: null,
    })
  }
  const signInByKey = (key: string) => void signIn(key, () => signInByKey(key))
  /**
   * Signs in with the cookie of a person's session: after the person signed in, when the page loads, or when the person
   * opens another project.
   */
  const signInAsPerson = async (project: string | null) => {
    hasChosen.current = true
    const again = () => void signInAsPerson(project)
    setState({ session: null, opening: true, refused: null, again })
    try {
      const access = await fetchAccess(project)
      if (access) await signIn(credentialOf(access), again)
      else {
        forgetSession()
        signOut(t.signIn.yourSessionHasEndedSign)
      }
    } catch (error) {
      const refused = error instanceof Error ? error.message : null
      setState({ session: null, opening: false, refused, again })
    }
  }
  const start = async () => {
    // On the first render, try the key from before a reload. Without it, try the key of another open tab, unless this
    // tab belongs to a person. Without a key, try the session.
    const key = rememberedKey() ?? (projectOfTab() === null ? await askOtherTabs() : null)
    if (hasChosen.current) return
    if (key !== null) signInByKey(key)
    else if (notedProject() !== null) await signInAsPerson(notedProject())
  }
  useEffect(() => {
    if (isInvitation() || projectToJoin() !== null) return
    const { signedIn, refused } = takeOutcome()
    if (signedIn) return void signInAsPerson(null)
    if (refused !== null) return setState({ session: null, opening: false, refused, again: null })
    void start()
  }, [])

  const { session } = state
  useEffect(() => {
    if (!session) return
    const { key, operator } = session
    if (typeof key === 'string') return handOver(key, () => signOut(null))
    if (operator) return
    const stop = new AbortController()
    // Load the code on demand: the first page load must stay small.
    import('./watch.ts').then(({ watchAccess }) => {
      if (!stop.signal.aborted)
        watchAccess(key, stop.signal, () => signOutRefused(t.signIn.yourSessionHasEndedOr))
    })
    return () => stop.abort()
  }, [session])
  const client = useMemo(
    () =>
      session &&
      makeClient(session.key, () =>
        signOutRefused(
          typeof session.key === 'string' ? t.signIn.thisKeyIsNoLonger : t.signIn.yourSessionHasEndedOr,
        ),
      ),
    [session],
  )
  const [isJoining, setIsJoining] = useState(isInvitation)
  const join = (project: string) => {
    setIsJoining(false)
    history.replaceState(null, '', '/dashboard/')
    void signInAsPerson(project)
  }
  const joining = projectToJoin()
  if (joining !== null) return <Join project={joining} />
  if (isJoining) return <Invitation onJoined={join} />
  if (!session || !client)
    return (
      <SignIn {...state} onKey={key => void signIn(key, null)} onSignedIn={() => void signInAsPerson(null)} />
    )
  return (
    <Announcer ref={announcements}>
      {/* With the key, another project's pages start from scratch. */}
      <SessionContext key={session.projectSlug} value={session}>
        <Provider value={client}>
          <RouterProvider loadView={place => loadView(place, session.operator)}>
            <Shell />
          </RouterProvider>
        </Provider>
      </SessionContext>
    </Announcer>
  )
}
