import { lazy, type ReactNode, Suspense } from 'react'
import { NotHere } from '../pages/not-here.tsx'
import { Overview } from '../pages/overview/overview.tsx'
import { Loading } from '../ui/states.tsx'
import { MobileHead, Side } from './navigation.tsx'
import { useOnline } from './online.ts'
import { type Page, useRouter } from './router.tsx'
import { useSession } from './session.ts'

const Pets = lazy(() => import('../pages/pets/pets.tsx'))
const Keys = lazy(() => import('../pages/keys/keys.tsx'))
const Domains = lazy(() => import('../pages/domains/domains.tsx'))
const General = lazy(() => import('../pages/general.tsx'))
const Deploys = lazy(() => import('../pages/deploys/deploys.tsx'))
const Projects = lazy(() => import('../pages/projects/projects.tsx'))

const views: Record<Page, ReactNode> = {
  overview: <Overview />,
  pets: <Pets />,
  keys: <Keys />,
  'settings/domains': <Domains />,
  'settings/general': <General />,
  deploys: <Deploys />,
  projects: <Projects />,
}

export function Shell() {
  const online = useOnline()
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      {!online && (
        <div className="offline" role="status">
          You are offline. What is shown may be out of date.
        </div>
      )}
      <MobileHead />
      <Side />
      <main className="main" id="content" tabIndex={-1}>
        <Suspense fallback={<Loading />}>
          <View />
        </Suspense>
      </main>
    </div>
  )
}

/** An operator starts at the list of projects; a project's key has no list to see. */
function View() {
  const { place } = useRouter()
  const { operator } = useSession()
  if (!place) return <NotHere />
  if (operator && place.project === null) return views.projects
  if (!operator && (place.page === 'projects' || place.project !== null)) return <NotHere />
  return <div key={`${place.project} ${place.page}`}>{views[place.page]}</div>
}
