import { useQuery } from '../../app/operations.ts'
import { Link } from '../../app/router.tsx'
import { InventoryDocument, type InventoryQuery } from '../../generated/graphql.ts'
import { number } from '../../texts/format.ts'
import { t } from '../../texts/index.ts'
import { Button } from '../../ui/button.tsx'
import { RefreshIcon } from '../../ui/icons.tsx'
import { part } from '../../ui/part.tsx'
import { Failed, Loading } from '../../ui/states.tsx'

const FirstSteps = part(async () => ({ default: (await import('./attention.tsx')).FirstSteps }))

const statuses = ['available', 'pending', 'sold', 'unset'] as const
/** Query again after pets or orders were changed in this tab, but not on every visit. */
export const changedWith = { additionalTypenames: ['Pet', 'Order'] }

/** The query costs one request of the plan, so skip it if none is left. */
export function Inventory({ isRefused }: { isRefused: boolean }) {
  const [{ data, error, fetching }, ask] = useQuery({
    query: InventoryDocument,
    requestPolicy: 'cache-first',
    context: changedWith,
    pause: isRefused,
  })
  const again = () => ask({ requestPolicy: 'network-only' })
  if (error && !data) return <Failed error={error} retry={again} what={t.overview.petsCouldNotBeCounted} />
  if (!data) return isRefused ? null : <Loading lines={2} />
  return (
    <>
      <FirstSteps hasPets={data.inventory.total > 0} />
      <section className="card stack" aria-labelledby="inventory-title">
        <div className="row spread">
          <h2 id="inventory-title">{t.overview.pets(data.inventory.total)}</h2>
          <Button
            kind="quiet"
            onClick={again}
            busy={fetching || isRefused}
            aria-label={t.overview.countPetsAgain}
            title={t.overview.countingCostsOneRequest}
          >
            <RefreshIcon />
          </Button>
        </div>
        {data.inventory.total === 0 ? (
          <p className="soft">
            {t.overview.storeIsEmpty}{' '}
            <Link to={{ page: 'pets', project: null }}>{t.overview.addFirstPet}</Link>
          </p>
        ) : (
          <Picture inventory={data.inventory} />
        )}
      </section>
    </>
  )
}

/** Shows one proportional bar; the list below has the figures. */
function Picture({ inventory }: { inventory: NonNullable<InventoryQuery['inventory']> }) {
  const shown = statuses.filter(status => status !== 'unset' || inventory.unset > 0)
  return (
    <>
      <div className="bar tall" aria-hidden="true">
        {shown.map(status => (
          <span
            key={status}
            className={status}
            style={{ width: `${(inventory[status] / inventory.total) * 100}%` }}
          />
        ))}
      </div>
      <ul className="row small legend">
        {shown.map(status => (
          <li key={status} className={status}>
            {t.overview.countAndStatus(
              number(inventory[status]),
              status === 'unset' ? (
                t.overview.statuses.unset
              ) : (
                <Link to={{ page: 'pets', project: null, query: { status } }}>
                  {t.overview.statuses[status]}
                </Link>
              ),
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
