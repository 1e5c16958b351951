import { useLiveQuery } from '../../app/live.ts'
import { useRouter } from '../../app/router.tsx'
import { useMissing } from '../../app/session.ts'
import { CategoriesDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { MissingScope } from '../../ui/missing-scope.tsx'
import { PageHead } from '../../ui/page.tsx'
import { NoRows, Pager, usePaging } from '../../ui/pager.tsx'
import { PetsTabs } from '../../ui/pets-tabs.tsx'
import { Search } from '../../ui/search.tsx'
import { Empty, Failed, Loading, Outdated } from '../../ui/states.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { type Act, CategoriesTable } from './categories-table.tsx'
import { RemoveCategory } from './remove-category.tsx'
import { SetCategory } from './set-category.tsx'

const pageSize = 50

export default function Categories() {
  const [doing, setDoing, close] = useDialog<Act | { act: 'name' }>()
  const mayRead = useMissing('pets_read')
  const mayWrite = useMissing('pets_write')
  const name = (
    <Button kind="primary" missing={mayWrite} onClick={() => setDoing({ act: 'name' })}>
      <PlusIcon /> {t.categories.addCategory}
    </Button>
  )
  return (
    <>
      <PageHead title={t.categories.categories} actions={name}>
        {t.categories.nameCategoriesYourPetsBelong}
      </PageHead>
      <PetsTabs part="pets/categories" />
      {mayRead === null ? (
        <CategoryList missing={mayWrite} onAct={setDoing} />
      ) : (
        <MissingScope scope={mayRead} what={t.categories.categoriesInSentence} />
      )}
      {doing?.act === 'name' && <SetCategory category={null} onClose={close} />}
      {doing?.act === 'rename' && <SetCategory category={doing.category} onClose={close} />}
      {doing?.act === 'remove' && <RemoveCategory category={doing.category} onClose={close} />}
    </>
  )
}

function CategoryList({ missing, onAct }: { missing: string | null; onAct(act: Act): void }) {
  const paging = usePaging()
  const name = useRouter().query.get('name')
  const variables = { first: pageSize, after: paging.after, name }
  const [{ data, error, fetching, stale, isEarlier }, ask] = useLiveQuery({
    query: CategoriesDocument,
    variables,
  })
  const again = () => ask({ requestPolicy: 'network-only' })
  return (
    <section className="stack" aria-label={t.categories.categories} aria-busy={fetching || stale}>
      <search className="filters">
        <Search label={t.categories.searchByName} name="name" />
      </search>
      {data && <Outdated error={error} retry={again} />}
      {error && !data ? (
        <Failed error={error} retry={again} what={t.categories.categoriesCouldNotBeLoaded} />
      ) : !data ? (
        <Loading lines={6} />
      ) : (
        <>
          {data.categories.nodes.length === 0 ? (
            <NoCategory
              name={name}
              hasMore={data.categories.pageInfo.hasNextPage}
              isEmptied={paging.page > 1}
            />
          ) : (
            <CategoriesTable categories={data.categories.nodes} missing={missing} onAct={onAct} />
          )}
          <Pager
            paging={paging}
            info={data.categories.pageInfo}
            isEarlier={isEarlier}
            count={data.categories.nodes.length}
          />
        </>
      )}
    </section>
  )
}

function NoCategory({
  name,
  hasMore,
  isEmptied,
}: {
  name: string | null
  hasMore: boolean
  isEmptied: boolean
}) {
  return (
    <NoRows isEmptied={isEmptied && !hasMore} isEndOfSearch={name !== null && !hasMore}>
      <Empty title={name ? t.categories.noCategoriesMatchYourSearch : t.categories.noCategoryHasName}>
        {name ? (
          <p>{hasMore ? t.categories.noMatchesSoFar : t.categories.tryDifferentName}</p>
        ) : (
          <p>{t.categories.petsHaveNumberOfCategory}</p>
        )}
      </Empty>
    </NoRows>
  )
}
