import { useState } from 'react'

export type Shop = { url: string; key: string /** The pets after this cursor come first. */; after: string }

type Props = {
  names: readonly string[]
  /**
   * `earlier` reads the previous page of the list, and `later` reads the next page. Each function is null if the list
   * has no page in that direction.
   */
  earlier: (() => void) | null
  later: (() => void) | null
  add(name: string): void
  /** The code of the last error. */
  code: string | null
}

/** One page, built with each library: a list with pages in both directions, a form, and the last error. */
export function ShopPage({ names, earlier, later, add, code }: Props) {
  const [name, setName] = useState('')
  return (
    <main>
      {earlier && (
        <button type="button" onClick={earlier}>
          Earlier
        </button>
      )}
      <ul>
        {names.map(shown => (
          <li key={shown}>{shown}</li>
        ))}
      </ul>
      {later && (
        <button type="button" onClick={later}>
          Later
        </button>
      )}
      <input aria-label="Name" value={name} onChange={event => setName(event.target.value)} />
      <button type="button" onClick={() => add(name)}>
        Add
      </button>
      {code && <p role="alert">{code}</p>}
    </main>
  )
}

/** The headers of each request. */
export const headersOf = ({ key }: Shop) => ({ Authorization: `Bearer ${key}` })
