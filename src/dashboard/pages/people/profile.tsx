import { type FormEvent, useState } from 'react'
import { useLiveQuery } from '../../app/live.ts'
import { useMutation } from '../../app/operations.ts'
import { addPasskey } from '../../app/passkeys.ts'
import { hasPasskeys } from '../../app/person.ts'
import { useSession } from '../../app/session.ts'
import {
  EndSessionDocument,
  EndSessionsDocument,
  ProfileDocument,
  RemovePasskeyDocument,
  RenameViewerDocument,
} from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { Table, unseen } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { Terminals } from './terminals.tsx'
import { YourData } from './your-data.tsx'

/** The page of the signed-in person: name, passkeys, sessions and terminals. */
export default function Profile() {
  const [{ data, error }, ask] = useLiveQuery({ query: ProfileDocument, variables: {} })
  const again = () => ask({ requestPolicy: 'network-only' })
  return (
    <>
      <PageHead title={t.people.yourProfile} />
      {error && !data ? (
        <Failed error={error} what={t.people.yourProfileCouldNotBe} retry={again} />
      ) : !data ? (
        <Loading />
      ) : (
        <div className="stack loose">
          <Name id={data.viewer.id} name={data.viewer.name} />
          <Passkeys passkeys={data.viewer.passkeys} again={again} />
          <Sessions sessions={data.viewer.sessions} again={again} />
          <Terminals />
          <YourData id={data.viewer.id} />
        </div>
      )}
    </>
  )
}

function Name({ id, name: stored }: { id: string; name: string }) {
  const [name, setName] = useState(stored)
  const [{ fetching, error }, rename] = useMutation(RenameViewerDocument)
  const announce = useAnnounce()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (fetching) return
    const { data } = await rename({ input: { name } })
    if (data) announce(t.people.savedYourName)
  }
  return (
    <form className="card stack" onSubmit={submit} noValidate>
      <Field
        label={t.people.yourName}
        value={name}
        autoComplete="name"
        onChange={event => setName(event.target.value)}
        hint={t.people.membersOfYourProjectsSee}
      />
      <p className="soft small">{t.people.yourId(<span className="mono break">{id}</span>)}</p>
      {error && <Failed error={error} what={t.people.nameCouldNotBeSaved} />}
      <div>
        <Button type="submit" busy={fetching}>
          {t.people.save}
        </Button>
      </div>
    </form>
  )
}

type PasskeyRow = { id: string; name: string; createdAt: string; lastUsedAt: string | null }

function Passkeys({ passkeys, again }: { passkeys: PasskeyRow[]; again(): void }) {
  const { key } = useSession()
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const [{ error }, remove] = useMutation(RemovePasskeyDocument)
  const announce = useAnnounce()
  const add = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || typeof key === 'string') return
    setBusy(true)
    setRefused(null)
    try {
      await addPasskey(name.trim() || t.people.passkey, await key.bearer())
      setName('')
      announce(t.people.addedPasskey)
      again()
    } catch (fault) {
      setRefused(fault instanceof Error ? fault.message : t.people.passkeyWasNotAccepted)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className="stack" aria-labelledby="passkeys-title">
      <h2 id="passkeys-title">{t.people.passkeys}</h2>
      {typeof key !== 'string' && key.access.operator === 'needs_passkey' && (
        <Notice tone="wait">
          <p>{t.people.operatorNeedsPasskey}</p>
        </Notice>
      )}
      {passkeys.length === 0 && (
        <Notice tone="wait">
          <p>{t.people.youHaveNoPasskeyWhen}</p>
        </Notice>
      )}
      {passkeys.length > 0 && (
        <Table
          columns={[[t.people.passkey], [t.people.lastUsed, 'col-l'], [unseen(t.people.actions), 'col-l']]}
        >
          {passkeys.map(passkey => (
            <tr key={passkey.id}>
              <th scope="row" className="break">
                {passkey.name}
              </th>
              <td>{passkey.lastUsedAt ? <Ago at={passkey.lastUsedAt} /> : t.people.never}</td>
              <td>
                <Button
                  aria-label={t.people.removePasskeyName(passkey.name)}
                  onClick={async () => {
                    if ((await remove({ input: { id: passkey.id } })).data) announce(t.people.removedPasskey)
                    again()
                  }}
                >
                  {t.people.remove}
                </Button>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {error && <Failed error={error} what={t.people.passkeyCouldNotBeRemoved} />}
      {hasPasskeys() ? (
        <form className="card stack" onSubmit={add} noValidate>
          <Field
            label={t.people.nameOfNewPasskey}
            value={name}
            autoComplete="off"
            placeholder={t.people.eGLaptop}
            onChange={event => setName(event.target.value)}
          />
          {refused && (
            <Notice tone="bad" alert>
              <p>{refused}</p>
            </Notice>
          )}
          <div>
            <Button type="submit" kind="primary" busy={busy}>
              {t.people.addPasskey}
            </Button>
          </div>
        </form>
      ) : (
        <p className="soft">{t.people.browsersAllowPasskeysOnlyOver}</p>
      )}
    </section>
  )
}

type SessionRow = { id: string; device: string; createdAt: string; lastUsedAt: string; current: boolean }

function Sessions({ sessions, again }: { sessions: SessionRow[]; again(): void }) {
  const [{ error }, end] = useMutation(EndSessionDocument)
  const [{ error: notEnded, fetching }, endOthers] = useMutation(EndSessionsDocument)
  const announce = useAnnounce()
  const failed = error ?? notEnded
  return (
    <section className="stack" aria-labelledby="sessions-title">
      <div className="row spread">
        <h2 id="sessions-title">{t.people.sessions}</h2>
        {sessions.length > 1 && (
          <Button
            busy={fetching}
            onClick={async () => {
              if ((await endOthers({ input: { current: false } })).data) announce(t.people.endedOtherSessions)
              again()
            }}
          >
            {t.people.endAllOthers}
          </Button>
        )}
      </div>
      {failed && <Failed error={failed} what={t.people.sessionCouldNotBeEnded} />}
      <Table columns={[[t.people.device], [t.people.lastUsed, 'col-l'], [unseen(t.people.actions), 'col-l']]}>
        {sessions.map(session => (
          <tr key={session.id}>
            <th scope="row">
              <span className="row">
                {session.device} {session.current && <Badge tone="good">{t.people.thisOne}</Badge>}
              </span>
            </th>
            <td>
              <Ago at={session.lastUsedAt} />
            </td>
            <td>
              {!session.current && (
                <Button
                  aria-label={t.people.endSessionOfDevice(session.device)}
                  onClick={async () => {
                    if ((await end({ input: { id: session.id } })).data) announce(t.people.endedSession)
                    again()
                  }}
                >
                  {t.people.end}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </section>
  )
}
