import {
  type AnchorHTMLAttributes,
  createContext,
  type MouseEvent,
  type ReactNode,
  type Ref,
  startTransition,
  use,
  useEffect,
  useRef,
  useState,
} from 'react'

const root = '/dashboard'

export const pages = [
  'overview',
  'pets',
  'pets/categories',
  'orders',
  'keys',
  'settings/domains',
  'settings/addresses',
  'settings/general',
  'settings/members',
  'settings/webhooks',
  'settings/activity',
  'profile',
  'device',
  'deploys',
  'projects',
  'domains',
  'activity',
] as const
export type Page = (typeof pages)[number]

/** The lists whose items have their own pages, with the prefix of each item's id. */
const things: Partial<Record<Page, string>> = {
  pets: '',
  orders: 'order_',
  keys: 'key_',
  deploys: 'deploy_',
  'settings/domains': 'domain_',
  'settings/webhooks': 'webhook_',
}

/** Converts the id of a thing in the URL to the id that `node` accepts. */
export const nodeIdOf = (page: Page, id: string) => `${things[page] ?? ''}${id}`

/**
 * A page of the dashboard. `project` is the slug of the project that an operator has chosen. `project` is null for all
 * other readers, because their key or session already determines the project.
 */
export type Place = {
  page: Page
  project: string | null
  /** The id of a list's item, for the item's own page. */
  id?: string
  query?: Record<string, string>
}

export function hrefOf({ page, project, id, query }: Place): string {
  const within = project === null ? root : `${root}/projects/${project}`
  const queryText = query ? `?${new URLSearchParams(query)}` : ''
  const path = page === 'overview' ? '' : id ? `${page}/${encodeURIComponent(id)}` : page
  return `${within}/${path}${queryText}`
}

export function placeOf(path: string): Place | null {
  const inside = path.startsWith(root) ? path.slice(root.length).replace(/^\/|\/$/g, '') : ''
  const within = /^projects\/([^/]+)\/?(.*)$/.exec(inside)
  const named = (within ? within[2] : inside) || 'overview'
  const project = within?.[1] ?? null
  const page = pages.find(known => known === named)
  if (page) return { page, project }
  const [, list, id = ''] = /^(.+)\/([^/]+)$/.exec(named) ?? []
  const ofThing = pages.find(known => known === list && known in things)
  const decoded = decode(id)
  return ofThing && decoded ? { page: ofThing, project, id: decoded } : null
}

/** Returns null for a text that is not valid percent-encoding, such as `%ff`. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

type Router = {
  place: Place | null
  /** The query string: filters, sort order and page of a list. */
  query: URLSearchParams
  go(place: Place): void
  ask(changes: Changes, how?: 'push' | 'replace'): void
}
/** An empty value or null removes the parameter. */
type Changes = Record<string, string | readonly string[] | null>

const nowhere: Router = { place: null, query: new URLSearchParams(), go: () => {}, ask: () => {} }
const RouterContext = createContext<Router>(nowhere)

export const useRouter = () => use(RouterContext)

type ProviderProps = {
  /** Resolves when the code for this place is loaded, or after a short time. */
  loadView(place: Place): Promise<void>
  children: ReactNode
}

export function RouterProvider({ loadView, children }: ProviderProps) {
  const [{ path, search }, setAddress] = useState(readAddress)
  const navigations = useRef(0)
  useEffect(() => {
    const follow = () => {
      navigations.current++
      setAddress(readAddress())
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  const go = async (place: Place) => {
    const own = ++navigations.current
    await loadView(place)
    // The reader has clicked something else or has gone back.
    if (navigations.current !== own) return
    // Change the URL only now: until now, the present page may still have changed its own filters in the URL.
    history.pushState(null, '', hrefOf(place))
    startTransition(() => setAddress(readAddress()))
    scrollTo(0, 0)
  }
  const ask = (changes: Changes, how = 'push') => {
    const changed = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries(changes)) {
      changed.delete(name)
      for (const each of [value ?? []].flat()) if (each !== '') changed.append(name, each)
    }
    const address = changed.size > 0 ? `?${changed}` : location.pathname
    if (how === 'push') history.pushState(null, '', address)
    else history.replaceState(null, '', address)
    setAddress(readAddress())
  }
  const query = new URLSearchParams(search)
  return <RouterContext value={{ place: placeOf(path), query, go, ask }}>{children}</RouterContext>
}

const readAddress = () => ({ path: location.pathname, search: location.search })

type LinkProps = { to: Place; ref?: Ref<HTMLAnchorElement> } & Omit<
  AnchorHTMLAttributes<HTMLAnchorElement>,
  'href'
>

export function Link({ to, ...rest }: LinkProps) {
  const { go } = useRouter()
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    go(to)
  }
  return <a href={hrefOf(to)} onClick={follow} {...rest} />
}
