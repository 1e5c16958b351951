import {
  type AnchorHTMLAttributes,
  createContext,
  type MouseEvent,
  type ReactNode,
  startTransition,
  use,
  useEffect,
  useState,
} from 'react'

const root = '/dashboard'

export const pages = [
  'overview',
  'pets',
  'keys',
  'settings/domains',
  'settings/general',
  'deploys',
  'projects',
] as const
export type Page = (typeof pages)[number]

/** A page, and the project an operator looks at; a project's key has only its own. */
export type Place = { page: Page; project: string | null }

export function hrefOf({ page, project }: Place): string {
  const within = project === null ? root : `${root}/projects/${project}`
  return page === 'overview' ? `${within}/` : `${within}/${page}`
}

export function placeOf(path: string): Place | null {
  const inside = path.startsWith(root) ? path.slice(root.length).replace(/^\/|\/$/g, '') : ''
  const within = /^projects\/([^/]+)\/?(.*)$/.exec(inside)
  const page = ((within ? within[2] : inside) || 'overview') as Page
  return pages.includes(page) ? { page, project: within?.[1] ?? null } : null
}

type Router = { place: Place | null; go(place: Place): void }
const RouterContext = createContext<Router>({ place: null, go: () => {} })

export const useRouter = () => use(RouterContext)

export function RouterProvider({ children }: { children: ReactNode }) {
  const [path, setPath] = useState(location.pathname)
  useEffect(() => {
    const follow = () => setPath(location.pathname)
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  const go = (place: Place) => {
    history.pushState(null, '', hrefOf(place))
    startTransition(() => setPath(location.pathname))
    scrollTo(0, 0)
  }
  return <RouterContext value={{ place: placeOf(path), go }}>{children}</RouterContext>
}

type LinkProps = { to: Place } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>

export function Link({ to, ...rest }: LinkProps) {
  const { go } = useRouter()
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    go(to)
  }
  return <a href={hrefOf(to)} onClick={follow} {...rest} />
}
