import { useState } from 'react'
import { useProjectSlug } from '../../app/project.ts'
import { Link } from '../../app/router.tsx'
import { scopeName } from '../../app/session.ts'
import type { KeyRowFragment } from '../../generated/pages/graphql.ts'
import { date } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { useMark } from '../../ui/announce.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ChevronIcon } from '../../ui/icons.tsx'
import { Menu } from '../../ui/menu.tsx'
import { MoreRow } from '../../ui/more-row.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Ago, Until, useNow } from '../../ui/time.tsx'
import { KeyUse } from './key-use.tsx'
import { warnedBeforeMs } from './warned-before.ts'

export type Act = { act: 'rotate' | 'rename' | 'revoke'; key: KeyRowFragment }
type Props = { apiKey: KeyRowFragment; missing: string | null; onAct(act: Act): void }
export const badges = {
  active: null,
  overlapping: <Badge tone="wait">{t.keys.rotatedExpiring}</Badge>,
  expired: <Badge>{t.keys.expired}</Badge>,
  revoked: <Badge>{t.keys.revoked}</Badge>,
}

export function KeyRow({ apiKey, missing, onAct }: Props) {
  const { state } = apiKey
  const [unfolded, setUnfolded] = useState(false)
  const project = useProjectSlug() ?? null
  const works = state === 'active' || state === 'overlapping'
  const rotate = { label: t.keys.rotate, missing, act: () => onAct({ act: 'rotate', key: apiKey }) }
  const items = [
    ...(state === 'active' ? [rotate] : []),
    { label: t.keys.rename, missing, act: () => onAct({ act: 'rename', key: apiKey }) },
    { label: t.keys.revoke, missing, danger: true, act: () => onAct({ act: 'revoke', key: apiKey }) },
  ]
  const scopes = apiKey.scopes.map(scopeName).join(', ')
  return (
    <>
      <tr {...useMark(apiKey.id)} className={state === 'overlapping' || unfolded ? 'with-more' : ''}>
        <th scope="row" className="break">
          <Link className="plain" to={{ page: 'keys', project, id: apiKey.id.replace('key_', '') }}>
            {apiKey.name}
          </Link>{' '}
          {badges[state]} {apiKey.current && <Badge tone="plain">{t.keys.thisSession}</Badge>}
          <span className="small soft under key-line">
            <span className="mono">{apiKey.prefix}…</span>
            <span>{t.keys.createdWhen(<Ago at={apiKey.createdAt} />)}</span>
            <button
              type="button"
              className="fold small"
              aria-expanded={unfolded}
              onClick={() => setUnfolded(!unfolded)}
            >
              <ChevronIcon /> {t.keys.usage} <span className="sr">{t.keys.ofKey(apiKey.name)}</span>
            </button>
          </span>
          <span className="small soft under narrow">
            <LastUse apiKey={apiKey} />
          </span>
          <span className="small soft under narrow clip" title={scopes}>
            {scopes}
          </span>
        </th>
        <td className="small mono soft wide">
          <span className="clip" title={scopes}>
            {scopes}
          </span>
        </td>
        <td className="small wide">
          <LastUse apiKey={apiKey} />
        </td>
        <td className="small">
          <End apiKey={apiKey} />
        </td>
        <td className="num">
          {works && <Menu label={t.keys.actionsForKeyName(apiKey.name)} items={items} />}
        </td>
      </tr>
      {state === 'overlapping' && (
        <tr>
          <td colSpan={3}>
            <Overlap apiKey={apiKey} />
          </td>
          <td colSpan={2} className="wide" />
        </tr>
      )}
      {unfolded && (
        <MoreRow columns={5} columnsOnNarrow={3}>
          <KeyUse id={apiKey.id} name={apiKey.name} />
        </MoreRow>
      )}
    </>
  )
}

function LastUse({ apiKey }: { apiKey: KeyRowFragment }) {
  const { lastUsedAt, rotatedAt } = apiKey
  if (!lastUsedAt) return t.keys.neverUsed
  return (
    <>
      {(rotatedAt !== null && !isUsedSinceRotated(apiKey)
        ? t.keys.lastUsedBeforeRotated
        : t.keys.lastUsedWhen)(<Ago at={lastUsedAt} />)}
    </>
  )
}

function End({ apiKey: { state, revokedAt, expiresAt } }: { apiKey: KeyRowFragment }) {
  const now = useNow()
  if (revokedAt) return <>{t.keys.revokedWhen(<Ago at={revokedAt} />)}</>
  if (!expiresAt) return <span className="soft">{t.keys.never}</span>
  if (state === 'expired') return t.keys.expiredOnWhen(date(expiresAt))
  const isNear = Date.parse(expiresAt) - now < warnedBeforeMs
  return (
    <>
      {date(expiresAt)}
      {isNear && <span className="under warn-text">{t.keys.inLeft(<Until at={expiresAt} />)}</span>}
    </>
  )
}

const isUsedSinceRotated = ({ lastUsedAt, rotatedAt }: KeyRowFragment) =>
  lastUsedAt !== null && rotatedAt !== null && Date.parse(lastUsedAt) > Date.parse(rotatedAt)

/** Shows whether a client still uses the old key and would break when that key ends. */
function Overlap({ apiKey }: { apiKey: KeyRowFragment }) {
  const used = isUsedSinceRotated(apiKey)
  return (
    <Notice tone={used ? 'wait' : 'good'}>
      <p>
        {used && apiKey.lastUsedAt
          ? t.keys.stillInUseLastUsed(<Ago at={apiKey.lastUsedAt} />)
          : t.keys.notUsedSinceItWas}{' '}
        {apiKey.expiresAt && <>{t.keys.itEndsInLeft(<Until at={apiKey.expiresAt} />)}</>}
      </p>
    </Notice>
  )
}
