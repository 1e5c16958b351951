import type { ReactNode } from 'react'
import icon from '../icon.svg'
import { t } from '../texts/index.ts'
import { Button } from '../ui/button.tsx'
import {
  ActivityIcon,
  BookIcon,
  DeployIcon,
  GlobeIcon,
  KeyIcon,
  OrdersIcon,
  OverviewIcon,
  PetsIcon,
  ProjectsIcon,
  SearchIcon,
} from '../ui/icons.tsx'
import { ThemeButton } from '../ui/theme.tsx'
import { BesideLinks } from './beside.tsx'
import { openPalette } from './keyboard.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'
import { Link, type Page, useRouter } from './router.tsx'
import { useSession } from './session.ts'

type Item = { page: Page; label: string; short: string; icon: ReactNode }

const ofProject: Item[] = [
  { page: 'overview', label: t.shell.overview, short: t.shell.overview, icon: <OverviewIcon /> },
  { page: 'pets', label: t.shell.pets, short: t.shell.pets, icon: <PetsIcon /> },
  { page: 'orders', label: t.shell.orders, short: t.shell.orders, icon: <OrdersIcon /> },
  { page: 'keys', label: t.shell.apiKeys, short: t.shell.keys, icon: <KeyIcon /> },
  { page: 'deploys', label: t.shell.deploys, short: t.shell.deploys, icon: <DeployIcon /> },
  { page: 'settings/domains', label: t.shell.projectSettings, short: t.shell.settings, icon: <GlobeIcon /> },
]
const ofAllProjects: Item[] = [
  { page: 'projects', label: t.shell.projects, short: t.shell.projects, icon: <ProjectsIcon /> },
  { page: 'domains', label: t.shell.domains, short: t.shell.domains, icon: <GlobeIcon /> },
  { page: 'activity', label: t.shell.activity, short: t.shell.activity, icon: <ActivityIcon /> },
]
/** The pages of a project that an operator's key can read. The others require a key of the project. */
const ofOperator: Page[] = ['overview', 'keys', 'deploys', 'settings/domains']

export function Side() {
  const { operator } = useSession()
  const { place } = useRouter()
  const project = place?.project ?? null
  const items = ofProject.filter(({ page }) => !operator || (project !== null && ofOperator.includes(page)))
  return (
    <nav className="side" aria-label={t.shell.dashboard}>
      <Brand />
      {!operator && (
        <Button className="find" onClick={openPalette}>
          <SearchIcon /> {t.shell.search}
          <kbd className="soft">Ctrl K</kbd>
        </Button>
      )}
      <div className="nav">
        <ul>
          {operator &&
            ofAllProjects.map(item => (
              <li key={item.page}>
                <NavLink item={item} project={null} />
              </li>
            ))}
          {operator && project !== null && <li className="group">{project}</li>}
          {items.map(item => (
            <li key={item.page}>
              <NavLink item={item} project={project} />
            </li>
          ))}
          <li className="wide-only">
            <a href="/reference">
              <BookIcon /> {t.shell.reference}
            </a>
          </li>
          <BesideLinks />
        </ul>
      </div>
      <Whose />
    </nav>
  )
}

function NavLink({ item, project }: { item: Item; project: string | null }) {
  const { place } = useRouter()
  const { operator } = useSession()
  const isOfAll = ofAllProjects.some(({ page }) => page === place?.page)
  const shown = operator && place?.project === null && !isOfAll ? 'projects' : place?.page
  const section = (page: string | undefined) => page?.split('/')[0]
  const current = section(shown) === section(item.page)
  return (
    <Link to={{ page: item.page, project }} aria-current={current ? 'page' : undefined}>
      {item.icon}
      <span className="long">{item.label}</span>
      <span className="short">{item.short}</span>
    </Link>
  )
}

function Brand() {
  return (
    <div className="brand">
      <img src={icon} alt="" />
      {t.shell.animalStore}
    </div>
  )
}

function Whose() {
  const { operator, key, keyPrefix, projectSlug, signOut } = useSession()
  return (
    <div className="whose">
      <div>
        {typeof key === 'string' ? <p>{operator ? t.shell.operator : projectSlug}</p> : <ProjectSwitcher />}
        {keyPrefix && <p className="soft mono break">{keyPrefix}…</p>}
        {typeof key !== 'string' && !operator && (
          <Link to={{ page: 'profile', project: null }}>{t.shell.yourProfile}</Link>
        )}
      </div>
      <div className="row spread">
        <Button onClick={signOut}>{t.shell.signOut}</Button>
        <ThemeButton />
      </div>
    </div>
  )
}

export function MobileHead() {
  const { operator, projectSlug, signOut } = useSession()
  return (
    <header className="mobile-head">
      <div className="brand">
        <img src={icon} alt="" />
        <span className="break">{operator ? t.shell.operator : projectSlug}</span>
      </div>
      <div className="row tight">
        {!operator && (
          <Button kind="quiet" onClick={openPalette} aria-label={t.shell.search}>
            <SearchIcon />
          </Button>
        )}
        <a className="button quiet" href="/reference" aria-label={t.shell.reference}>
          <BookIcon />
        </a>
        <ThemeButton />
        <Button kind="quiet" onClick={signOut}>
          {t.shell.signOut}
        </Button>
      </div>
    </header>
  )
}
