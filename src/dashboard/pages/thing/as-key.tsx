import type { ReactNode } from 'react'
import { useProjectSlug } from '../../app/project.ts'
import { Link } from '../../app/router.tsx'
import { scopeName, useMissing } from '../../app/session.ts'
import type { KeyRowFragment } from '../../generated/pages/graphql.ts'
import { dateAndTime } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { badges } from '../keys/key-row.tsx'
import { KeyUse } from '../keys/key-use.tsx'
import { RenameKey } from '../keys/rename-key.tsx'
import { RevokeKey } from '../keys/revoke-key.tsx'
import { RotateKey } from '../keys/rotate-key.tsx'
import { Facts } from './facts.tsx'
import { Managed } from './managed.tsx'

type Props = { apiKey: KeyRowFragment & { successorId: string | null }; list: ReactNode }

export function AsKey({ apiKey, list }: Props) {
  const { name, prefix, state, scopes, createdAt, expiresAt, revokedAt, lastUsedAt, successorId } = apiKey
  const missing = useMissing('project_write')
  const project = useProjectSlug() ?? null
  const [doing, setDoing, close] = useDialog<'rotate' | 'rename' | 'revoke'>()
  const works = state === 'active' || state === 'overlapping'
  return (
    <>
      <PageHead
        title={name}
        actions={
          works && (
            <>
              {state === 'active' && (
                <Button missing={missing} onClick={() => setDoing('rotate')}>
                  {t.thing.rotate}
                </Button>
              )}
              <Button missing={missing} onClick={() => setDoing('rename')}>
                {t.thing.rename}
              </Button>
              <Button kind="danger" missing={missing} onClick={() => setDoing('revoke')}>
                {t.thing.revoke}
              </Button>
            </>
          )
        }
      >
        {list}
      </PageHead>
      <Facts
        title={t.thing.apiKeyFacts}
        facts={[
          [t.thing.state, badges[state] ?? t.thing.active],
          [
            t.thing.prefix,
            <span key="prefix" className="mono">
              {prefix}…
            </span>,
          ],
          [
            t.thing.permissions,
            <span key="scopes" className="mono">
              {scopes.map(scopeName).join(', ')}
            </span>,
          ],
          [t.thing.created, dateAndTime(createdAt)],
          [t.thing.lastUsed, lastUsedAt ? <Ago key="used" at={lastUsedAt} /> : t.thing.never],
          [t.thing.expires, expiresAt ? dateAndTime(expiresAt) : t.thing.never],
          [t.thing.revoked, revokedAt && dateAndTime(revokedAt)],
          [
            t.thing.replacedBy,
            successorId && (
              <Link key="next" to={{ page: 'keys', project, id: successorId.replace('key_', '') }}>
                {t.thing.keyThatReplacedIt}
              </Link>
            ),
          ],
        ]}
      />
      <section className="card">
        <KeyUse id={apiKey.id} name={name} />
      </section>
      <Managed subject={apiKey.id.replace('key_', 'api_key:')} />
      {doing === 'rotate' && <RotateKey apiKey={apiKey} onClose={close} />}
      {doing === 'rename' && <RenameKey apiKey={apiKey} onClose={close} />}
      {doing === 'revoke' && <RevokeKey apiKey={apiKey} onClose={close} />}
    </>
  )
}
