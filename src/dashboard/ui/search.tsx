import { useEffect, useState } from 'react'
import { useRouter } from '../app/router.tsx'
import { firstPage } from './filter.tsx'

const pauseMs = 300
/** The longest search that the store accepts. */
const longest = 100

/** A search field. The URL changes when the user stops typing. */
export function Search({ label, name = 'search' }: { label: string; name?: string }) {
  const { query, ask } = useRouter()
  const inAddress = query.get(name) ?? ''
  const [typed, setTyped] = useState(inAddress)
  // The URL omits a space at the end of the text, but the field keeps it, because the reader may go on typing after it.
  useEffect(() => setTyped(before => (before.trim() === inAddress ? before : inAddress)), [inAddress])
  useEffect(() => {
    if (typed.trim() === inAddress) return
    const timer = setTimeout(() => ask({ [name]: typed.trim(), ...firstPage }, 'replace'), pauseMs)
    return () => clearTimeout(timer)
  }, [typed, inAddress, name, ask])
  return (
    <input
      className="input search"
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={longest}
      value={typed}
      onChange={event => setTyped(event.target.value)}
    />
  )
}
