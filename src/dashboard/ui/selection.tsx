import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { number } from '../texts/format.ts'
import { t } from '../texts/pages.ts'
import { Button } from './button.tsx'
import { CloseIcon } from './icons.tsx'

type Row = { id: string }
export type Selection<Each extends Row> = {
  chosen: readonly Each[]
  has(id: string): boolean
  /**
   * With `isRange`, changes all rows from the previously toggled row to the row `id`: all of these rows become chosen,
   * or not chosen if the row `id` was chosen before.
   */
  toggle(id: string, isRange: boolean): void
  isPageChosen: boolean
  togglePage(): void
  /**
   * Does nothing if the choice was cleared after the rendering that made this function, for example while `rows` were
   * loaded.
   */
  choose(rows: readonly Each[]): void
  clear(): void
}

/**
 * The rows that the reader has chosen, on all pages of one list. A change of `list`, for example by a filter, clears
 * the choice.
 */
export function useSelection<Each extends Row>(rows: readonly Each[], list: string): Selection<Each> {
  const [rowsById, setRowsById] = useState<ReadonlyMap<string, Each>>(new Map())
  const [anchor, setAnchor] = useState<string | null>(null)
  const timesCleared = useRef(0)
  const clearedBefore = timesCleared.current
  const clear = () => {
    timesCleared.current++
    setRowsById(new Map())
    setAnchor(null)
  }
  useEffect(clear, [list])
  const change = (ids: readonly string[], isChosen: boolean) => {
    const changed = new Map(rowsById)
    for (const row of rows.filter(({ id }) => ids.includes(id)))
      if (isChosen) changed.set(row.id, row)
      else changed.delete(row.id)
    setRowsById(changed)
  }
  const isPageChosen = rows.length > 0 && rows.every(({ id }) => rowsById.has(id))
  const indexOf = (wanted: string | null) => rows.findIndex(({ id }) => id === wanted)
  return {
    // If the current page contains a chosen row, return the row from the page, because the stored row may be older.
    chosen: [...rowsById.values()].map(row => rows[indexOf(row.id)] ?? row),
    has: id => rowsById.has(id),
    toggle(id, isRange) {
      const [from, to] = [indexOf(isRange && anchor ? anchor : id), indexOf(id)].sort((a, b) => a - b)
      const range =
        from === undefined || from < 0 ? [id] : rows.slice(from, (to ?? from) + 1).map(row => row.id)
      change(range, !rowsById.has(id))
      setAnchor(id)
    },
    isPageChosen,
    togglePage: () =>
      change(
        rows.map(({ id }) => id),
        !isPageChosen,
      ),
    choose(all) {
      if (timesCleared.current === clearedBefore) setRowsById(new Map(all.map(row => [row.id, row])))
    },
    clear,
  }
}

/** The head of the column of checkboxes. */
export function ChoosePage<Each extends Row>({ selection }: { selection: Selection<Each> }) {
  const { chosen, isPageChosen, togglePage } = selection
  return (
    <input
      type="checkbox"
      aria-label={t.ui.chooseAllOnThisPage}
      checked={isPageChosen}
      ref={box => {
        if (box) box.indeterminate = !isPageChosen && chosen.length > 0
      }}
      onChange={togglePage}
    />
  )
}

export function ChooseRow<Each extends Row>({
  selection,
  id,
  name,
}: {
  selection: Selection<Each>
  id: string
  name: string
}) {
  const toggle = (event: MouseEvent) => selection.toggle(id, event.shiftKey)
  return (
    <td className="col-check">
      <input
        type="checkbox"
        aria-label={t.ui.chooseName(name)}
        checked={selection.has(id)}
        onClick={toggle}
        // Toggle on click and not on change, because only a click event tells whether Shift was held.
        onChange={() => {}}
      />
    </td>
  )
}

type BarProps<Each extends Row> = {
  selection: Selection<Each>
  /** "pets" */
  what: string
  /** Chooses all rows that match the filters; null if the page has them all. */
  onAll: (() => void) | null
  isLoadingAll: boolean
  children: ReactNode
}

/** The actions on the chosen rows, at the foot of the window. */
export function ChosenBar<Each extends Row>({
  selection,
  what,
  onAll,
  isLoadingAll,
  children,
}: BarProps<Each>) {
  const count = selection.chosen.length
  if (count === 0) return null
  return (
    <section className="chosen" aria-label={t.ui.chosenWhat(what)}>
      <span className="count" role="status">
        {t.ui.countChosen(number(count))}
      </span>
      {selection.isPageChosen && onAll && (
        <Button kind="quiet" onClick={onAll} busy={isLoadingAll}>
          {t.ui.chooseAllThatMatch}
        </Button>
      )}
      {children}
      <Button kind="quiet" onClick={selection.clear} aria-label={t.ui.clearChoice}>
        <CloseIcon />
      </Button>
    </section>
  )
}
