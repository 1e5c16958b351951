import { type FormEvent, useState } from 'react'
import { useMutation } from '../../app/operations.ts'
import { addPasskey } from '../../app/passkeys.ts'
import { hasPasskeys } from '../../app/person.ts'
import { useSession } from '../../app/session.ts'
import { RemovePasskeyDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'
import { Table, unseen } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { RemoveLastPasskey } from './remove-last-passkey.tsx'

type PasskeyRow = { id: string; name: string; createdAt: string; lastUsedAt: string | null }

export function Passkeys({ passkeys, again }: { passkeys: PasskeyRow[]; again(): void }) {
  const { key } = useSession()
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const [{ error, fetching, data: removed }, remove] = useMutation(RemovePasskeyDocument)
  const [removingLast, setRemovingLast, closeLast] = useDialog<PasskeyRow>()
  // The list has the removed passkey until it is read again. Until then all buttons stay busy, so that a double click
  // removes once, and the last passkey is recognized.
  const isOutdated = passkeys.some(({ id }) => id === removed?.passkeyRemove.passkeyId)
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
                  busy={fetching || isOutdated}
                  aria-label={t.people.removePasskeyName(passkey.name)}
                  onClick={async () => {
                    if (passkeys.length === 1) return setRemovingLast(passkey)
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
      {removingLast && <RemoveLastPasskey id={removingLast.id} again={again} onClose={closeLast} />}
    </section>
  )
}
