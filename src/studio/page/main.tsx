import { createStudioBFFClient } from '@prisma/studio-core/data/bff'
import { createPostgresAdapter } from '@prisma/studio-core/data/postgres-core'
import { Studio } from '@prisma/studio-core/ui'
import { type FormEvent, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import '@prisma/studio-core/ui/index.css'
import './main.css'
import { openOnPets, storeFirst } from './store-first.ts'

/** Prisma Studio on the running service's database; requires the operator key. */
function App() {
  const [key, setKey] = useState<string | null>(sessionStorage.getItem('animal-store.operator-key'))
  return key === null ? <Ask onKey={setKey} /> : <Database operatorKey={key} />
}

function Database({ operatorKey }: { operatorKey: string }) {
  const adapter = useMemo(
    () =>
      storeFirst(
        createPostgresAdapter({
          executor: createStudioBFFClient({
            url: '/studio/query',
            customHeaders: { Authorization: `Bearer ${operatorKey}` },
          }),
        }),
      ),
    [operatorKey],
  )
  return <Studio adapter={adapter} />
}

function Ask({ onKey }: { onKey(key: string): void }) {
  const [refused, setRefused] = useState(false)
  const open = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const key = String(new FormData(event.currentTarget).get('key')).trim()
    const answer = await fetch('/studio/key', { method: 'POST', headers: { Authorization: `Bearer ${key}` } })
    setRefused(!answer.ok)
    if (!answer.ok) return
    sessionStorage.setItem('animal-store.operator-key', key)
    onKey(key)
  }
  return (
    <main className="ask">
      <form onSubmit={open}>
        <h1>Prisma Studio</h1>
        <p>Shows and edits the rows of the embedded database of the running service.</p>
        <label htmlFor="key">Operator key</label>
        <input
          id="key"
          name="key"
          type="password"
          autoComplete="off"
          placeholder="as_…"
          required
          aria-describedby="refused"
        />
        <p id="refused" role="alert">
          {refused && 'This is not the operator key. You find it in credentials.json in the data folder.'}
        </p>
        <button type="submit">Open</button>
      </form>
    </main>
  )
}

openOnPets()
const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
