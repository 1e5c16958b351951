import { scopeName } from '../../app/session.ts'
import type { KeyRowFragment } from '../../generated/graphql.ts'
import { useMark } from '../../ui/announce.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Ago, date, Until } from '../../ui/time.tsx'
import type { Act } from './keys.tsx'

type Props = {
  apiKey: KeyRowFragment
  missing: string | null
  onAct(act: Act): void
}
const badges = {
  active: <Badge tone="good">Works</Badge>,
  overlapping: <Badge tone="wait">Rotated, still works</Badge>,
  expired: <Badge>Expired</Badge>,
  revoked: <Badge>Revoked</Badge>,
}

export function KeyRow({ apiKey, missing, onAct }: Props) {
  const { state, rotatedAt } = apiKey
  const works = state === 'active' || state === 'overlapping'
  const rotate = { label: 'Rotate', missing, act: () => onAct({ act: 'rotate', key: apiKey }) }
  const items = [
    ...(state === 'active' ? [rotate] : []),
    { label: 'Rename', missing, act: () => onAct({ act: 'rename', key: apiKey }) },
    { label: 'Revoke', missing, danger: true, act: () => onAct({ act: 'revoke', key: apiKey }) },
  ]
  return (
    <li className="stack-tight key" {...useMark(apiKey.id)}>
      <div className="head">
        <div className="row">
          <h3 className="break">{apiKey.name}</h3>
          {badges[state]}
          {apiKey.current && <Badge tone="plain">This session</Badge>}
        </div>
        {works && <Menu label={`Actions for the key ${apiKey.name}`} items={items} />}
      </div>
      <div className="row">
        <span className="mono">{apiKey.prefix}…</span>
        {apiKey.scopes.map(scope => (
          <span key={scope} className="chip">
            {scopeName(scope)}
          </span>
        ))}
      </div>
      <p className="small soft times">
        <span>
          Created <Ago at={apiKey.createdAt} />
        </span>
        <span>
          {apiKey.lastUsedAt ? (
            <>
              Last used <Ago at={apiKey.lastUsedAt} />
              {rotatedAt !== null && !isUsedSinceRotated(apiKey) && ', before it was rotated'}
            </>
          ) : (
            'Never used'
          )}
        </span>
        <span>{ending(apiKey)}</span>
      </p>
      {state === 'overlapping' && <Overlap apiKey={apiKey} />}
    </li>
  )
}

function ending({ state, revokedAt, expiresAt }: KeyRowFragment) {
  if (revokedAt)
    return (
      <>
        Revoked <Ago at={revokedAt} />
      </>
    )
  if (!expiresAt) return 'Never expires'
  return state === 'expired' ? `Expired on ${date(expiresAt)}` : <>Expires on {date(expiresAt)}</>
}

const isUsedSinceRotated = ({ lastUsedAt, rotatedAt }: KeyRowFragment) =>
  lastUsedAt !== null && rotatedAt !== null && Date.parse(lastUsedAt) > Date.parse(rotatedAt)

/** Whether anyone still uses the old key: what decides if its end will hurt. */
function Overlap({ apiKey }: { apiKey: KeyRowFragment }) {
  const used = isUsedSinceRotated(apiKey)
  return (
    <Notice tone={used ? 'wait' : 'good'}>
      <p>
        {used && apiKey.lastUsedAt ? (
          <>
            Still in use, last <Ago at={apiKey.lastUsedAt} />. Move its users to the new key.
          </>
        ) : (
          'Not used since it was rotated.'
        )}{' '}
        {apiKey.expiresAt && (
          <>
            It ends in <Until at={apiKey.expiresAt} />.
          </>
        )}
      </p>
    </Notice>
  )
}
