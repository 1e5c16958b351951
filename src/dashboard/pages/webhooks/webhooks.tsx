import { useActFromAddress } from '../../app/act-from-address.ts'
import { useLiveQuery } from '../../app/live.ts'
import { Link } from '../../app/router.tsx'
import { useMissing } from '../../app/session.ts'
import { type WebhookRowFragment, WebhooksDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useMark } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { PlusIcon, WebhookIcon } from '../../ui/icons.tsx'
import { MissingScope } from '../../ui/missing-scope.tsx'
import { SettingsHead } from '../../ui/settings-head.tsx'
import { by, useSorted } from '../../ui/sort.ts'
import { Empty, Failed, Loading, Outdated } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { AddEndpoint } from './endpoint-form.tsx'
import { EndpointState, stateOf } from './endpoint-state.tsx'

const whileFailingMs = 10_000

export default function Webhooks() {
  const missing = useMissing('webhooks_write')
  return (
    <>
      <SettingsHead part="settings/webhooks" />
      {missing === null ? <Endpoints /> : <MissingScope scope={missing} what={t.webhooks.webhooks} />}
    </>
  )
}

const context = { additionalTypenames: ['Webhook'] }

function Endpoints() {
  const [isAdding, setIsAdding, close] = useDialog<true>()
  const add = () => setIsAdding(true)
  useActFromAddress('add', add)
  const [{ data, error }, ask] = useLiveQuery(
    { query: WebhooksDocument, variables: {}, context },
    ({ webhooks }) => (webhooks.nodes.some(({ nextTryAt }) => nextTryAt !== null) ? whileFailingMs : null),
  )
  const again = () => ask({ requestPolicy: 'network-only' })
  const endpoints = data?.webhooks.nodes
  const sorted = useSorted(endpoints ?? [], sorts)
  return (
    <div className="stack">
      <div className="row spread">
        <p className="soft">{t.webhooks.addressesOfYoursThatReceive}</p>
        <Button kind="primary" onClick={add}>
          <PlusIcon /> {t.webhooks.addEndpointButton}
        </Button>
      </div>
      {error && !endpoints ? (
        <Failed error={error} retry={again} what={t.webhooks.endpointsCouldNotBeLoaded} />
      ) : !endpoints ? (
        <Loading />
      ) : endpoints.length === 0 ? (
        <div className="card">
          <Empty icon={<WebhookIcon size={36} />} title={t.webhooks.noEndpointsYet}>
            <p>{t.webhooks.storeCanSendEachNew}</p>
          </Empty>
        </div>
      ) : (
        <>
          <Outdated error={error} retry={again} />
          <Table columns={columns}>
            {sorted.map(endpoint => (
              <Row key={endpoint.id} endpoint={endpoint} />
            ))}
          </Table>
        </>
      )}
      {isAdding && <AddEndpoint onClose={close} />}
    </div>
  )
}

/** Endpoints that need help come first. */
const urgency = { disabled: 0, resting: 1, failing: 2, paused: 3, enabled: 4 }
const sorts = {
  url: ({ url }: WebhookRowFragment) => url,
  added: ({ createdAt }: WebhookRowFragment) => Date.parse(createdAt),
  state: (endpoint: WebhookRowFragment) => urgency[stateOf(endpoint)],
}

const columns = [
  [t.webhooks.endpoint, undefined, by('url', 'added', t.sorts.address)],
  [t.webhooks.events, 'col-l wide'],
  [t.webhooks.added, 'col-m wide', by('added', 'added', t.sorts.age)],
  [t.webhooks.state, 'col-l', by('state', 'added', t.sorts.trouble)],
] as const

function Row({ endpoint }: { endpoint: WebhookRowFragment }) {
  const { id, url, description, types, createdAt } = endpoint
  return (
    <tr {...useMark(id)}>
      <th scope="row" className="break">
        <Link
          className="plain"
          to={{ page: 'settings/webhooks', project: null, id: id.replace('webhook_', '') }}
        >
          {url}
        </Link>
        {description && <span className="small soft under">{description}</span>}
      </th>
      <td className="small wide">
        <span className="clip" title={types.join(', ')}>
          {types.length === 0 ? t.webhooks.all : types.join(', ')}
        </span>
      </td>
      <td className="small wide">
        <Ago at={createdAt} />
      </td>
      <td>
        <EndpointState endpoint={endpoint} />
      </td>
    </tr>
  )
}
