import { createStudioBFFClient } from '@prisma/studio-core/data/bff'
import { createPostgresAdapter } from '@prisma/studio-core/data/postgres-core'
import { Studio } from '@prisma/studio-core/ui'
import { type FormEvent, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import '@prisma/studio-core/ui/index.css'
import './main.css'
import { type Access, enterKey, findAccess } from './access.ts'
import { openOnPets, storeFirst } from './store-first.ts'

/** Prisma Studio on the running service's database, for operators. */
function App({ found }: { found: Access | null }) {
  const [access, setAccess] = useState(found)
  return access === null ? <Ask onAccess={setAccess} /> : <Database access={access} />
}

function Database({ access }: { access: Access }) {
  const adapter = useMemo(
    () =>
      storeFirst(
        createPostgresAdapter({
          executor: createStudioBFFClient({
            url: '/studio/query',
            fetch: async (url, how) => {
              const headers = new Headers(how?.headers)
              headers.set('Authorization', `Bearer ${await access.bearer()}`)
              return fetch(url, { ...how, headers })
            },
          }),
        }),
      ),
    [access],
  )
  return <Studio adapter={adapter} />
}

function Ask({ onAccess }: { onAccess(access: Access): void }) {
  const [problem, setProblem] = useState('')
  const open = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const key = String(new FormData(event.currentTarget).get('key')).trim()
    try {
      const access = await enterKey(key)
      if (access) return onAccess(access)
      setProblem('This is not the operator key. You find it in credentials.json in the data folder.')
    } catch {
      setProblem('The service does not answer. Is it running?')
    }
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
          aria-describedby="problem"
        />
        <p id="problem" role="alert">
          {problem}
        </p>
        <button type="submit">Open</button>
      </form>
    </main>
  )
}

openOnPets()
const root = document.getElementById('root')
if (root) createRoot(root).render(<App found={await findAccess().catch(() => null)} />)
