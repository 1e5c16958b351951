import { useEffect, useState } from 'react'
import { postSession } from '../../app/person.ts'
import { Link } from '../../app/router.tsx'
import { useSession } from '../../app/session.ts'
import { date } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Table, unseen } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'

type MachineKey = {
  id: string
  machine: string
  prefix: string
  project: { slug: string; name: string }
  lastUsedAt: string | null
  expiresAt: string
}

/** The terminals in which the person is signed in: the keys that `animal-store login` got. */
export function Terminals() {
  const { key } = useSession()
  const [keys, setKeys] = useState<MachineKey[] | null>(null)
  // Stays set until the row is gone, so that a double click ends once.
  const [ending, setEnding] = useState<string | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const announce = useAnnounce()
  const post = async <Answer,>(path: string, body?: object) => {
    if (typeof key === 'string') throw new Error(t.people.signInAsPerson)
    return postSession<Answer>(path, body, await key.bearer())
  }
  const load = () =>
    post<{ keys: MachineKey[] }>('/device/keys').then(
      ({ keys }) => setKeys(keys),
      error => setRefused(messageOf(error)),
    )
  useEffect(() => void load(), [])
  const end = async ({ id, machine }: MachineKey) => {
    setRefused(null)
    setEnding(id)
    try {
      await post('/device/keys/end', { id })
      announce(t.people.endedKeyOfMachine(machine))
    } catch (error) {
      setRefused(messageOf(error))
    }
    await load()
    setEnding(null)
  }
  return (
    <section className="stack" aria-labelledby="terminals-title">
      <div className="row spread">
        <h2 id="terminals-title">{t.people.terminals}</h2>
        <Link to={{ page: 'device', project: null }}>{t.people.signInTerminal}</Link>
      </div>
      {refused && (
        <Notice tone="bad" alert>
          <p>{refused}</p>
        </Notice>
      )}
      {keys?.length === 0 && (
        <p className="soft">
          {t.people.noTerminalIsSignedIn(<span className="mono">animal-store login</span>)}
        </p>
      )}
      {keys !== null && keys.length > 0 && (
        <Table
          columns={[
            [t.people.terminal],
            [t.people.project, 'wide'],
            [t.people.lastUsed, 'col-l'],
            [t.people.ends, 'wide'],
            [unseen(t.people.actions), 'col-l'],
          ]}
        >
          {keys.map(each => (
            <tr key={each.id}>
              <th scope="row" className="break">
                {each.machine} <span className="soft mono">{each.prefix}…</span>
              </th>
              <td className="wide break">{each.project.name}</td>
              <td>{each.lastUsedAt ? <Ago at={each.lastUsedAt} /> : t.people.never}</td>
              <td className="wide">{date(each.expiresAt)}</td>
              <td>
                <Button
                  busy={ending !== null}
                  aria-label={t.people.endKeyOfMachine(each.machine)}
                  onClick={() => end(each)}
                >
                  {t.people.end}
                </Button>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  )
}

const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : t.people.terminalsCouldNotBeLoaded
