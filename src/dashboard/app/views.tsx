import type { ComponentType } from 'react'
import { Overview } from '../pages/overview/overview.tsx'
import { page } from './missing-code.ts'
import type { Page, Place } from './router.tsx'

const Activity = page(() => import('../pages/activity/activity.tsx'))
const Thing = page(() => import('../pages/thing/thing.tsx'))

/** `load` is missing if the first file that the browser loads already contains the code. */
type View = ComponentType & { load?(): Promise<void> }

const views: Record<Page, View> = {
  overview: Overview,
  pets: page(() => import('../pages/pets/pets.tsx')),
  'pets/categories': page(() => import('../pages/categories/categories.tsx')),
  orders: page(() => import('../pages/orders/orders.tsx')),
  keys: page(() => import('../pages/keys/keys.tsx')),
  'settings/domains': page(() => import('../pages/domains/domains.tsx')),
  'settings/addresses': page(() => import('../pages/domains/addresses.tsx')),
  'settings/general': page(() => import('../pages/general.tsx')),
  'settings/members': page(() => import('../pages/people/members.tsx')),
  'settings/webhooks': page(() => import('../pages/webhooks/webhooks.tsx')),
  'settings/activity': Activity,
  profile: page(() => import('../pages/people/profile.tsx')),
  device: page(() => import('../pages/people/device.tsx')),
  deploys: page(() => import('../pages/deploys/deploys.tsx')),
  projects: page(() => import('../pages/projects/projects.tsx')),
  domains: page(() => import('../pages/all-domains/all-domains.tsx')),
  activity: Activity,
}

/** An operator's pages about all projects. */
export const overAll: readonly Page[] = ['projects', 'domains', 'activity']

/**
 * The start page of an operator is the list of projects. The start page of a project's key is the project's overview.
 */
export function pageAt({ page, project }: Place, operator: boolean): Page {
  return operator && project === null && !overAll.includes(page) ? 'projects' : page
}

export function viewAt(place: Place, operator: boolean): View {
  const isOfAll = operator && place.project === null
  return place.id && !isOfAll ? Thing : views[pageAt(place, operator)]
}

/** Resolves when the code for this place is loaded, or after a short time. */
export async function loadView(place: Place | null, operator: boolean): Promise<void> {
  if (place) await viewAt(place, operator).load?.()
}
