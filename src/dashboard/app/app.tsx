import { useEffect, useMemo, useRef, useState } from 'react'
import { Provider } from 'urql'
import { SignIn } from '../pages/sign-in.tsx'
import { Announcer } from '../ui/announce.tsx'
import { makeClient } from './client.ts'
import { forgetDrafts } from './draft.ts'
import { askOtherTabs, handOver, tellSignedOut } from './hand-over.ts'
import { RouterProvider } from './router.tsx'
import { forgetKey, rememberedKey, rememberKey, type Session, SessionContext } from './session.ts'
import { Shell } from './shell.tsx'
import { type Opening, openSession } from './sign-in.ts'

type State = { session: Session | null; opening: boolean; refused: string | null }

/** Everything except the sign-in page requires a key that the store has accepted. */
export function App() {
  const [state, setState] = useState<State>({
    session: null,
    // While other tabs are asked for their key, the form can be used.
    opening: rememberedKey() !== null,
    refused: null,
  })
  const hasChosen = useRef(false)

  const signOut = (refused: string | null) => {
    forgetKey()
    setState({ session: null, opening: false, refused })
  }
  const signOutEverywhere = (key: string) => {
    tellSignedOut(key)
    forgetDrafts()
    signOut(null)
  }
  const signIn = async (key: string) => {
    hasChosen.current = true
    setState({ session: null, opening: true, refused: null })
    const outcome: Opening = await openSession(key)
    if ('refused' in outcome) {
      if (outcome.final) forgetKey()
      return setState({ session: null, opening: false, refused: outcome.refused })
    }
    rememberKey(key)
    setState({
      session: { ...outcome, key, signOut: () => signOutEverywhere(key) },
      opening: false,
      refused: null,
    })
  }
  useEffect(() => {
    // On the first render, try the key of an earlier page load or of another open tab.
    void (async () => {
      const key = rememberedKey() ?? (await askOtherTabs())
      if (key !== null && !hasChosen.current) await signIn(key)
    })()
  }, [])

  const { session } = state
  useEffect(() => (session ? handOver(session.key, () => signOut(null)) : undefined), [session])
  const client = useMemo(
    () =>
      session &&
      makeClient(session.key, () => signOut('This key is no longer valid. Sign in with another key.')),
    [session],
  )
  if (!session || !client) return <SignIn {...state} remembered={rememberedKey()} onKey={signIn} />
  return (
    <Announcer>
      <SessionContext value={session}>
        <Provider value={client}>
          <RouterProvider>
            <Shell />
          </RouterProvider>
        </Provider>
      </SessionContext>
    </Announcer>
  )
}
