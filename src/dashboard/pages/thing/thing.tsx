import type { ReactNode } from 'react'
import type { TypedDocumentNode } from 'urql'
import { useLiveQuery } from '../../app/live.ts'
import { Link, nodeIdOf, type Page, type Place, useRouter } from '../../app/router.tsx'
import {
  OneDeployDocument,
  OneDomainDocument,
  OneKeyDocument,
  OneOrderDocument,
  OneWebhookDocument,
  PetVersionDocument,
} from '../../generated/pages/graphql.ts'
import { PageHead } from '../../ui/page.tsx'
import { Empty, Failed, Loading, Outdated } from '../../ui/states.tsx'
import { AsDeploy } from './as-deploy.tsx'
import { AsDomain } from './as-domain.tsx'
import { AsKey } from './as-key.tsx'
import { AsOrder } from './as-order.tsx'
import { AsPet } from './as-pet.tsx'
import { AsWebhook } from './as-webhook.tsx'
import { Raw } from './raw.tsx'

type Shown<Node> = { thing: Node; list: ReactNode; onLook(): void }
type Kind = {
  what: string
  all: string
  show(place: Place, id: string): ReactNode
}

/** Shows a thing by the component of its kind. The id's prefix makes sure that the node is of this kind. */
function kindOf<Data extends { node: object | null }, Node>(
  what: string,
  all: string,
  query: TypedDocumentNode<Data, { id: string }>,
  show: (shown: Shown<Node>) => ReactNode,
): Kind {
  const kind: Kind = {
    what,
    all,
    show: (place, id) => (
      <OneThing place={place} id={id} kind={kind} query={query}>
        {(thing, list, onLook) => show({ thing: thing as Node, list, onLook })}
      </OneThing>
    ),
  }
  return kind
}

type Props<As extends (props: never) => ReactNode> = Parameters<As>[0]

const kinds: Partial<Record<Page, Kind>> = {
  pets: kindOf(
    'Pet',
    'All pets',
    PetVersionDocument,
    ({ thing, list }: Shown<Props<typeof AsPet>['pet']>) => <AsPet pet={thing} list={list} />,
  ),
  orders: kindOf('Order', 'All orders', OneOrderDocument, (shown: Shown<Props<typeof AsOrder>['order']>) => (
    <AsOrder order={shown.thing} list={shown.list} onLook={shown.onLook} />
  )),
  keys: kindOf('API key', 'All API keys', OneKeyDocument, (shown: Shown<Props<typeof AsKey>['apiKey']>) => (
    <AsKey apiKey={shown.thing} list={shown.list} />
  )),
  deploys: kindOf(
    'Deploy',
    'All deploys',
    OneDeployDocument,
    (shown: Shown<Props<typeof AsDeploy>['deploy']>) => <AsDeploy deploy={shown.thing} list={shown.list} />,
  ),
  'settings/domains': kindOf(
    'Domain',
    'All domains',
    OneDomainDocument,
    (shown: Shown<Props<typeof AsDomain>['domain']>) => <AsDomain domain={shown.thing} list={shown.list} />,
  ),
  'settings/webhooks': kindOf(
    'Webhook endpoint',
    'All endpoints',
    OneWebhookDocument,
    (shown: Shown<Props<typeof AsWebhook>['webhook']>) => (
      <AsWebhook webhook={shown.thing} list={shown.list} />
    ),
  ),
}

/** The page of one pet, order, key, deploy or domain. */
export default function Thing() {
  const { place } = useRouter()
  return place?.id ? kinds[place.page]?.show(place, place.id) : null
}

type OneProps<Data> = {
  place: Place
  id: string
  kind: Kind
  query: TypedDocumentNode<Data, { id: string }>
  children(thing: object, list: ReactNode, onLook: () => void): ReactNode
}

function OneThing<Data extends { node: object | null }>({
  place,
  id,
  kind: { what, all },
  query,
  children,
}: OneProps<Data>) {
  const variables = { id: nodeIdOf(place.page, id) }
  const [{ data, error, fetching }, ask] = useLiveQuery({ query, variables })
  const again = () => ask({ requestPolicy: 'network-only' })
  const list = <Link to={{ page: place.page, project: place.project }}>{all}</Link>
  const thing = data?.node
  if (thing) {
    return (
      <div className="stack loose thing">
        <Outdated error={error} retry={again} />
        {children(thing, list, again)}
        <Raw page={place.page} id={id} thing={thing} />
      </div>
    )
  }
  const name = what.replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase())
  return (
    <>
      <PageHead title={`${what} ${id}`}>{list}</PageHead>
      {error ? (
        <Failed error={error} retry={again} what={`The ${name} could not be loaded`} />
      ) : data && !fetching ? (
        <div className="card">
          <Empty title={`There is no ${name} ${id}`}>
            <p>It was deleted, or has never been.</p>
          </Empty>
        </div>
      ) : (
        <Loading lines={6} />
      )}
    </>
  )
}
