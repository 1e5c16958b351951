import { useState } from 'react'
import type { ApiKeyState } from '../../../generated/contract.ts'
import { useActFromAddress } from '../../app/act-from-address.ts'
import { useLiveQuery } from '../../app/live.ts'
import { useProjectSlug } from '../../app/project.ts'
import { useRouter } from '../../app/router.tsx'
import { useMissing } from '../../app/session.ts'
import { ApiKeysDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { Filter, useFilter } from '../../ui/filter.tsx'
import { KeyIcon, PlusIcon } from '../../ui/icons.tsx'
import { PageHead } from '../../ui/page.tsx'
import { NoRows, Pager, usePaging } from '../../ui/pager.tsx'
import { Search } from '../../ui/search.tsx'
import { SortBy } from '../../ui/sort-by.tsx'
import { Empty, Failed, Loading, Outdated } from '../../ui/states.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { IssueKey } from './issue-key.tsx'
import type { Act } from './key-row.tsx'
import { KeysTable, keySorts, sortNames, sortOptions } from './keys-table.tsx'
import { pollEveryMs } from './poll.ts'
import { RenameKey } from './rename-key.tsx'
import { RevokeKey } from './revoke-key.tsx'
import { RotateKey } from './rotate-key.tsx'
import { endsSoonBefore } from './warned-before.ts'

const pageSize = 25

/** Expired and revoked keys are hidden unless the filter asks for them. */
const states = [
  { value: 'working', label: t.keys.active },
  { value: 'ending', label: t.keys.endingSoon },
  { value: 'ended', label: t.keys.inactive },
  { value: 'all', label: t.keys.all },
] as const
const stateValues = states.map(({ value }) => value)
const statesOf: Record<(typeof stateValues)[number], ApiKeyState[] | null> = {
  working: ['active', 'overlapping'],
  ending: ['active', 'overlapping'],
  ended: ['expired', 'revoked'],
  all: null,
}

export default function Keys() {
  const missing = useMissing('project_write')
  const [doing, setDoing, close] = useDialog<Act | { act: 'issue' }>()
  useActFromAddress('add', () => setDoing({ act: 'issue' }))
  const issue = (
    <Button kind="primary" missing={missing} onClick={() => setDoing({ act: 'issue' })}>
      <PlusIcon /> {t.keys.issueKey}
    </Button>
  )
  return (
    <>
      <PageHead title={t.keys.apiKeys} actions={issue}>
        {t.keys.keysAreShownOnlyOnce}
      </PageHead>
      <KeyList missing={missing} onAct={setDoing} />
      {doing?.act === 'issue' && <IssueKey onClose={close} />}
      {doing?.act === 'rotate' && <RotateKey apiKey={doing.key} onClose={close} />}
      {doing?.act === 'rename' && <RenameKey apiKey={doing.key} onClose={close} />}
      {doing?.act === 'revoke' && <RevokeKey apiKey={doing.key} onClose={close} />}
    </>
  )
}

function KeyList({ missing, onAct }: { missing: string | null; onAct(act: Act): void }) {
  const project = useProjectSlug() ?? null
  const search = useRouter().query.get('search')
  const state = useFilter('state', stateValues)
  const isEnding = state === 'ending'
  const usual = isEnding ? 'end' : 'newest'
  const paging = usePaging()
  const [soon] = useState(endsSoonBefore)
  const sort = useFilter('sort', [usual, ...sortNames])
  const variables = {
    ...{ project, search, states: statesOf[state], first: pageSize, after: paging.after },
    ...{ sort: keySorts[sort], endsBefore: isEnding ? soon : null },
  }
  const [{ data, error, isEarlier }, ask] = useLiveQuery(
    { query: ApiKeysDocument, variables },
    ({ project: { apiKeys } }) => pollEveryMs(apiKeys.nodes),
  )
  const again = () => ask({ requestPolicy: 'network-only' })
  const page = data?.project.apiKeys
  return (
    <div className="stack">
      <search className="filters">
        <Search label={t.keys.searchKeys} />
        <Filter label={t.keys.state} name="state" options={states} />
        <SortBy options={sortOptions(usual)} />
      </search>
      {error && !page ? (
        <Failed error={error} retry={again} what={t.keys.keysCouldNotBeLoaded} />
      ) : !page ? (
        <Loading lines={7} />
      ) : (
        <>
          <Outdated error={error} retry={again} />
          {page.nodes.length > 0 ? (
            <KeysTable keys={page.nodes} usual={usual} missing={missing} onAct={onAct} />
          ) : (
            <NoRows isEmptied={paging.page > 1}>
              <Empty
                icon={<KeyIcon size={34} />}
                title={search ? t.keys.noKeysMatchYourSearch : emptyTitles[state]}
              >
                <p>{search ? t.keys.changeSearchOrStateTo : emptyWords[state]}</p>
              </Empty>
            </NoRows>
          )}
          <Pager paging={paging} info={page.pageInfo} isEarlier={isEarlier} count={page.nodes.length} />
        </>
      )}
    </div>
  )
}

const emptyTitles = {
  working: t.keys.noActiveKeys,
  ending: t.keys.noKeyExpiresSoon,
  ended: t.keys.noExpiredOrRevokedKeys,
  all: t.keys.noKeys,
}
const emptyWords = {
  working: t.keys.issueOneToLetProgram,
  ending: t.keys.keysThatEndWithinNext,
  ended: t.keys.revokedAndExpiredKeysAre,
  all: t.keys.issueOneToLetProgram,
}
