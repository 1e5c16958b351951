import type { ReactNode } from 'react'
import { useRouter } from '../app/router.tsx'
import { number } from '../texts/format.ts'
import { t } from '../texts/pages.ts'
import { Button } from './button.tsx'
import { Filter, useFilter } from './filter.tsx'
import { Empty } from './states.tsx'

type PageInfo = { hasNextPage: boolean; endCursor: string | null }

/**
 * The URL keeps at most this many cursors, and drops the oldest cursors. Each step back removes the newest cursor
 * and leads to the page before. If the URL has only one cursor, the step back leads to the first page, even from a
 * later page than the second.
 */
const mostCursors = 20
const sizes = ['20', '50', '100'].map(value => ({ value, label: t.ui.valuePage(value) }))
const sizeValues = sizes.map(({ value }) => value)

/** Reads the current page of a list: the cursors that lead to it, and the number of earlier pages. */
export function usePaging() {
  const { query, ask } = useRouter()
  const trail = query.getAll('after')
  const page = Math.max(trail.length + 1, Number(query.get('page')) || 1)
  const show = (number: number, cursors: string[]) =>
    ask({ page: number > 1 ? String(number) : null, after: cursors.slice(-mostCursors) })
  return {
    after: trail.at(-1) ?? null,
    page,
    previous: () => (trail.length > 1 ? show(page - 1, trail.slice(0, -1)) : show(1, [])),
    next: (cursor: string) => show(page + 1, [...trail, cursor]),
  }
}

/** Returns the number of rows per page that the reader has chosen, for lists that offer this choice. */
export const usePageSize = () => Number(useFilter('size', sizeValues))

type Props = {
  paging: ReturnType<typeof usePaging>
  info: PageInfo
  /** True until this page arrives. `info` then has the cursor of another page, which leads to a wrong one. */
  isEarlier: boolean
  /** The number of rows on this page. */
  count: number
  /** Given by lists that know the number of their rows, to show "5,000 pets, page 1 of 250". */
  total?: { count: number | null; inWords(count: number): string; pageSize: number }
  hasSizes?: boolean
}

export function Pager({ paging, info, isEarlier, count, total, hasSizes = false }: Props) {
  const { page, previous, next } = paging
  const { hasNextPage, endCursor } = info
  const isOneOfMany = page > 1 || hasNextPage
  const isLarge = usePageSize() > Number(sizeValues[0])
  const isShown = isOneOfMany || (hasSizes && isLarge)
  const nav = (
    <nav className="row spread" aria-label={t.ui.pages}>
      <Button onClick={previous} aria-disabled={page === 1 || undefined}>
        {t.ui.previous}
      </Button>
      <span className="row">
        <span className="soft small" role="status">
          {wordsOf(page, total)}
        </span>
        {hasSizes && <Filter label={t.ui.rowsPage} name="size" options={sizes} />}
      </span>
      <Button onClick={() => next(endCursor ?? '')} aria-disabled={!hasNextPage || isEarlier || undefined}>
        {t.ui.next}
      </Button>
    </nav>
  )
  return (
    <>
      {/* Screen readers announce a change of this element, so it exists before a search or a filter changes the rows. */}
      <p className="sr" role="status">
        {(count === 0 || !isShown) && t.ui.results(count)}
      </p>
      {isShown && nav}
    </>
  )
}

type NoRowsProps = {
  /** True if other pages have rows. */
  isEmptied: boolean
  /** True if a search ends with this page. Perhaps no page has a row then, because a page ends after some thousand rows. */
  isEndOfSearch?: boolean
  children: ReactNode
}

/**
 * Shown in place of the rows of an empty page. If other pages have rows, says that the rows of this page are gone.
 * Otherwise shows `children`.
 */
export function NoRows({ isEmptied, isEndOfSearch = false, children }: NoRowsProps) {
  return (
    <div className="card">
      {isEmptied && isEndOfSearch ? (
        <Empty title={t.ui.noMoreMatches}>
          <p>{t.ui.searchEndsHere}</p>
        </Empty>
      ) : isEmptied ? (
        <Empty title={t.ui.nothingIsLeftOnThis}>
          <p>{t.ui.seeAnotherPageForOthers}</p>
        </Empty>
      ) : (
        children
      )}
    </div>
  )
}

function wordsOf(page: number, total: Props['total']): string {
  if (!total || total.count === null) return t.ui.pagePage(number(page))
  const { count, inWords, pageSize } = total
  // If rows were deleted after this page was opened, its number may exceed the number of pages.
  const pages = Math.max(page, Math.ceil(count / pageSize))
  return t.ui.totalAndPage(inWords(count), number(page), number(pages))
}
