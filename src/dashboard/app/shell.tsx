import { type ReactNode, useEffect } from 'react'
import { NoProject, NotHere } from '../pages/not-here.tsx'
import { t } from '../texts/index.ts'
import { Boundary } from '../ui/boundary.tsx'
import { Button } from '../ui/button.tsx'
import { keepFocus } from '../ui/keep-focus.ts'
import { Keyboard } from './keyboard.tsx'
import { askAgain } from './live.ts'
import { MobileHead, Side } from './navigation.tsx'
import { problemOf } from './problem.ts'
import { useProject } from './project.ts'
import { useReached } from './reached.ts'
import { type Page, useRouter } from './router.tsx'
import { useSession } from './session.ts'
import { overAll, pageAt, viewAt } from './views.tsx'

export function Shell() {
  const reached = useReached()
  const { operator } = useSession()
  useEffect(keepFocus, [])
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {t.shell.skipToContent}
      </a>
      {!reached && (
        <div className="unreached">
          <p role="status">{t.shell.storeCannotBeReachedWhat}</p>
          <Button onClick={askAgain}>{t.shell.retry}</Button>
        </div>
      )}
      {!operator && <Keyboard />}
      <MobileHead />
      <Side />
      <main className="main" id="content" tabIndex={-1}>
        <View />
      </main>
    </div>
  )
}

/**
 * Pages that an operator cannot open for a single project. Only keys and members of a project can open the pages of the
 * project's store, for example the pets. The pages in `overAll` show all projects.
 */
const notOfOperator: readonly Page[] = ['pets', 'pets/categories', 'orders', 'settings/webhooks', ...overAll]

function View() {
  const { place } = useRouter()
  const { operator } = useSession()
  if (!place) return <NotHere />
  const { project, page, id } = place
  if (!operator && (overAll.includes(page) || project !== null)) return <NotHere />
  const Shown = viewAt(place, operator)
  const view = (
    <Boundary key={`${project} ${pageAt(place, operator)} ${id}`}>
      <Shown />
    </Boundary>
  )
  if (project === null) return view
  if (notOfOperator.includes(page)) return <NotHere />
  return <OfProject slug={project}>{view}</OfProject>
}

/** If the project does not exist, every page below it shows the same message. */
function OfProject({ slug, children }: { slug: string; children: ReactNode }) {
  const { error } = useProject()
  if (error && problemOf(error).code === 'project_not_found') return <NoProject slug={slug} />
  return children
}
