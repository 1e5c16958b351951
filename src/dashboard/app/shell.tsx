import { type ReactNode, Suspense, useEffect } from 'react'
import { NoProject, NotHere } from '../pages/not-here.tsx'
import { Overview } from '../pages/overview/overview.tsx'
import { t } from '../texts/index.ts'
import { Boundary } from '../ui/boundary.tsx'
import { Button } from '../ui/button.tsx'
import { keepFocus } from '../ui/keep-focus.ts'
import { Loading } from '../ui/states.tsx'
import { Keyboard } from './keyboard.tsx'
import { askAgain } from './live.ts'
import { page } from './missing-code.ts'
import { MobileHead, Side } from './navigation.tsx'
import { problemOf } from './problem.ts'
import { useProject } from './project.ts'
import { useReached } from './reached.ts'
import { type Page, useRouter } from './router.tsx'
import { useSession } from './session.ts'

const Pets = page(() => import('../pages/pets/pets.tsx'))
const Categories = page(() => import('../pages/categories/categories.tsx'))
const Orders = page(() => import('../pages/orders/orders.tsx'))
const Keys = page(() => import('../pages/keys/keys.tsx'))
const Domains = page(() => import('../pages/domains/domains.tsx'))
const Addresses = page(() => import('../pages/domains/addresses.tsx'))
const Members = page(() => import('../pages/people/members.tsx'))
const Webhooks = page(() => import('../pages/webhooks/webhooks.tsx'))
const Activity = page(() => import('../pages/activity/activity.tsx'))
const Profile = page(() => import('../pages/people/profile.tsx'))
const Device = page(() => import('../pages/people/device.tsx'))
const General = page(() => import('../pages/general.tsx'))
const Deploys = page(() => import('../pages/deploys/deploys.tsx'))
const AllDomains = page(() => import('../pages/all-domains/all-domains.tsx'))
const Thing = page(() => import('../pages/thing/thing.tsx'))
const Projects = page(() => import('../pages/projects/projects.tsx'))

const views: Record<Page, ReactNode> = {
  overview: <Overview />,
  pets: <Pets />,
  'pets/categories': <Categories />,
  orders: <Orders />,
  keys: <Keys />,
  'settings/domains': <Domains />,
  'settings/addresses': <Addresses />,
  'settings/general': <General />,
  'settings/members': <Members />,
  'settings/webhooks': <Webhooks />,
  'settings/activity': <Activity />,
  profile: <Profile />,
  device: <Device />,
  deploys: <Deploys />,
  projects: <Projects />,
  domains: <AllDomains />,
  activity: <Activity />,
}

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

/** An operator's pages about all projects. */
const overAll: readonly Page[] = ['projects', 'domains', 'activity']
/**
 * Pages that an operator cannot open for a single project. Only keys and members of a project can open the pages of the
 * project's store, for example the pets. The pages in `overAll` show all projects.
 */
const notOfOperator: readonly Page[] = ['pets', 'pets/categories', 'orders', 'settings/webhooks', ...overAll]

/**
 * The start page of an operator is the list of projects. The start page of a project's key is the project's overview.
 */
function View() {
  const { place } = useRouter()
  const { operator } = useSession()
  if (!place) return <NotHere />
  if (operator && place.project === null) {
    const shown = overAll.includes(place.page) ? place.page : 'projects'
    return <Guarded key={shown}>{views[shown]}</Guarded>
  }
  if (!operator && (overAll.includes(place.page) || place.project !== null)) return <NotHere />
  const view = (
    <Guarded key={`${place.project} ${place.page} ${place.id}`}>
      {place.id ? <Thing /> : views[place.page]}
    </Guarded>
  )
  if (place.project === null) return view
  if (notOfOperator.includes(place.page)) return <NotHere />
  return <OfProject slug={place.project}>{view}</OfProject>
}

/** If the project does not exist, every page below it shows the same message. */
function OfProject({ slug, children }: { slug: string; children: ReactNode }) {
  const { error } = useProject()
  if (error && problemOf(error).code === 'project_not_found') return <NoProject slug={slug} />
  return children
}

function Guarded({ children }: { children: ReactNode }) {
  return (
    <Boundary>
      <Suspense fallback={<Loading />}>{children}</Suspense>
    </Boundary>
  )
}
