import { useMutation } from '../../app/operations.ts'
import { EndSessionDocument, EndSessionsDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/states.tsx'
import { Table, unseen } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'

type SessionRow = { id: string; device: string; createdAt: string; lastUsedAt: string; current: boolean }

export function Sessions({ sessions, again }: { sessions: SessionRow[]; again(): void }) {
  const [{ error, fetching: isEnding, data: ended }, end] = useMutation(EndSessionDocument)
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
                  // Stays busy until the row is gone, so that a double click ends once.
                  busy={isEnding || ended?.sessionEnd.sessionId === session.id}
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
