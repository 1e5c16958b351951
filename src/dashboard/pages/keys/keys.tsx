import { useState } from 'react'
import { useLiveQuery } from '../../app/live.ts'
import { useProjectSlug } from '../../app/project.ts'
import { useMissing } from '../../app/session.ts'
import { ApiKeysDocument, type KeyRowFragment } from '../../generated/graphql.ts'
import { Button } from '../../ui/button.tsx'
import { KeyIcon, PlusIcon } from '../../ui/icons.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Pager, usePaging } from '../../ui/pager.tsx'
import { Empty, Failed, Loading, Outdated } from '../../ui/states.tsx'
import { IssueKey } from './issue-key.tsx'
import { KeyRow } from './key-row.tsx'
import { RenameKey } from './rename-key.tsx'
import { RevokeKey } from './revoke-key.tsx'
import { RotateKey } from './rotate-key.tsx'

export type Act = { act: 'issue' } | { act: 'rotate' | 'rename' | 'revoke'; key: KeyRowFragment } | null

const pageSize = 100

export default function Keys() {
  const project = useProjectSlug() ?? null
  const missing = useMissing('project_write')
  const [doing, setDoing] = useState<Act>(null)
  const paging = usePaging()
  const variables = { first: pageSize, after: paging.after, project }
  // While two keys overlap, the old one's last use is what the owner waits to see.
  const [{ data, error }, ask] = useLiveQuery(
    { query: ApiKeysDocument, variables },
    ({ project: { apiKeys } }) => (apiKeys.nodes.some(key => key.state === 'overlapping') ? 10_000 : null),
  )
  const issue = (
    <Button kind="primary" missing={missing} onClick={() => setDoing({ act: 'issue' })}>
      <PlusIcon /> Issue key
    </Button>
  )
  const close = () => setDoing(null)
  const page = data?.project.apiKeys
  const keys = page?.nodes ?? []
  const works = keys.filter(key => key.state === 'active' || key.state === 'overlapping')
  const ended = keys.filter(key => !works.includes(key))
  const again = () => ask({ requestPolicy: 'network-only' })
  return (
    <>
      <PageHead title="API keys" actions={issue}>
        A key is shown once and stored nowhere. Revoking it takes effect within a second.
      </PageHead>
      <div className="stack loose">
        {error && !data ? (
          <Failed error={error} retry={again} what="The keys could not be loaded" />
        ) : !data ? (
          <Loading lines={7} />
        ) : keys.length === 0 ? (
          <div className="card">
            <Empty icon={<KeyIcon size={34} />} title="No keys">
              <p>Issue one to let a program use the store.</p>
            </Empty>
          </div>
        ) : (
          <>
            <Outdated error={error} retry={again} />
            <KeyList title="In use" keys={works} missing={missing} onAct={setDoing} />
            {ended.length > 0 && <KeyList title="Ended" keys={ended} missing={missing} onAct={setDoing} />}
            {page && <Pager paging={paging} info={page.pageInfo} />}
          </>
        )}
      </div>
      {doing?.act === 'issue' && <IssueKey onClose={close} />}
      {doing?.act === 'rotate' && <RotateKey apiKey={doing.key} onClose={close} />}
      {doing?.act === 'rename' && <RenameKey apiKey={doing.key} onClose={close} />}
      {doing?.act === 'revoke' && <RevokeKey apiKey={doing.key} onClose={close} />}
    </>
  )
}

type ListProps = {
  title: string
  keys: KeyRowFragment[]
  missing: string | null
  onAct(act: Act): void
}

function KeyList({ title, keys, missing, onAct }: ListProps) {
  const id = `keys-${title.replace(' ', '-').toLowerCase()}`
  return (
    <section className="stack-tight" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {keys.length === 0 ? (
        <p className="soft">No key works any more. Issue a new one.</p>
      ) : (
        <ul className="card flush list">
          {keys.map(key => (
            <KeyRow key={key.id} apiKey={key} missing={missing} onAct={onAct} />
          ))}
        </ul>
      )}
    </section>
  )
}
