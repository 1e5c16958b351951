import { useRouter } from '../app/router.tsx'
import { Button } from './button.tsx'

type PageInfo = { hasNextPage: boolean; endCursor: string | null }

/** The most cursors of earlier pages in the URL. On pages beyond that, Back leads to the first page. */
const mostCursors = 20

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

/** Changing a filter or the sort order also returns to the first page. */
export const firstPage = { page: null, after: null }

export function Pager({ paging, info }: { paging: ReturnType<typeof usePaging>; info: PageInfo }) {
  const { page, previous, next } = paging
  const { hasNextPage, endCursor } = info
  if (page === 1 && !hasNextPage) return null
  return (
    <nav className="row spread" aria-label="Pages">
      <Button onClick={previous} aria-disabled={page === 1 || undefined}>
        Previous
      </Button>
      <span className="soft small" role="status">
        Page {page}
      </span>
      <Button onClick={() => next(endCursor ?? '')} aria-disabled={!hasNextPage || undefined}>
        Next
      </Button>
    </nav>
  )
}
