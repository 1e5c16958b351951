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
import { t } from '../../texts/pages.ts'
import { PageHead } from '../../ui/page.tsx'
import { Empty, Failed, Loading, Outdated } from '../../ui/states.tsx'
import { pollEveryMs as pollDomainsEveryMs } from '../domains/states.ts'
import { pollEveryMs as pollKeysEveryMs } from '../keys/poll.ts'
import { AsDeploy } from './as-deploy.tsx'
import { AsDomain } from './as-domain.tsx'
import { AsKey } from './as-key.tsx'
import { AsOrder } from './as-order.tsx'
import { AsPet } from './as-pet.tsx'
import { AsWebhook } from './as-webhook.tsx'
import { Raw } from './raw.tsx'

type Words = typeof t.thing.pet
type Shown<Node> = { thing: Node; list: ReactNode; onLook(): void }
type Kind = {
  words: Words
  show(place: Place, id: string): ReactNode
}

/**
 * Defines a kind of thing, such as a pet, and the component that shows a thing of this kind. The query asks for a node
 * id with the kind's prefix, so that the returned node is always of this kind.
 */
function kindOf<Data extends { node: object | null }, Node>(
  words: Words,
  query: TypedDocumentNode<Data, { id: string }>,
  show: (shown: Shown<Node>) => ReactNode,
  pending: (thing: Node) => number | null = () => null,
): Kind {
  const kind: Kind = {
    words,
    show: (place, id) => (
      <OneThing place={place} id={id} kind={kind} query={query} pending={thing => pending(thing as Node)}>
        {(thing, list, onLook) => show({ thing: thing as Node, list, onLook })}
      </OneThing>
    ),
  }
  return kind
}

type Props<As extends (props: never) => ReactNode> = Parameters<As>[0]

const kinds: Partial<Record<Page, Kind>> = {
  pets: kindOf(t.thing.pet, PetVersionDocument, ({ thing, list }: Shown<Props<typeof AsPet>['pet']>) => (
    <AsPet pet={thing} list={list} />
  )),
  orders: kindOf(t.thing.order, OneOrderDocument, (shown: Shown<Props<typeof AsOrder>['order']>) => (
    <AsOrder order={shown.thing} list={shown.list} onLook={shown.onLook} />
  )),
  keys: kindOf(
    t.thing.apiKey,
    OneKeyDocument,
    (shown: Shown<Props<typeof AsKey>['apiKey']>) => <AsKey apiKey={shown.thing} list={shown.list} />,
    key => pollKeysEveryMs([key]),
  ),
  deploys: kindOf(t.thing.deploy, OneDeployDocument, (shown: Shown<Props<typeof AsDeploy>['deploy']>) => (
    <AsDeploy deploy={shown.thing} list={shown.list} />
  )),
  'settings/domains': kindOf(
    t.thing.domain,
    OneDomainDocument,
    (shown: Shown<Props<typeof AsDomain>['domain']>) => <AsDomain domain={shown.thing} list={shown.list} />,
    domain => pollDomainsEveryMs([domain]),
  ),
  'settings/webhooks': kindOf(
    t.thing.endpoint,
    OneWebhookDocument,
    (shown: Shown<Props<typeof AsWebhook>['webhook']>) => (
      <AsWebhook webhook={shown.thing} list={shown.list} />
    ),
  ),
}

/** The page of one pet, order, key, deploy, domain or webhook endpoint. */
export default function Thing() {
  const { place } = useRouter()
  return place?.id ? kinds[place.page]?.show(place, place.id) : null
}

type OneProps<Data> = {
  place: Place
  id: string
  kind: Kind
  query: TypedDocumentNode<Data, { id: string }>
  /** Returns how often to poll. */
  pending(thing: object): number | null
  children(thing: object, list: ReactNode, onLook: () => void): ReactNode
}

function OneThing<Data extends { node: object | null }>({
  place,
  id,
  kind: { words },
  query,
  pending,
  children,
}: OneProps<Data>) {
  const variables = { id: nodeIdOf(place.page, id) }
  const [{ data, error, fetching }, ask] = useLiveQuery({ query, variables }, ({ node }) =>
    node ? pending(node) : null,
  )
  const again = () => ask({ requestPolicy: 'network-only' })
  const list = <Link to={{ page: place.page, project: place.project }}>{words.all}</Link>
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
  return (
    <>
      <PageHead title={words.title(id)}>{list}</PageHead>
      {error ? (
        <Failed error={error} retry={again} what={words.notLoaded} />
      ) : data && !fetching ? (
        <div className="card">
          <Empty title={words.missing(id)}>
            <p>{t.thing.itWasDeletedOrHas}</p>
          </Empty>
        </div>
      ) : (
        <Loading lines={6} />
      )}
    </>
  )
}
