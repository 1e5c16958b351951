import type { Scope } from '../../../generated/contract.ts'
import type { Place } from '../../app/router.tsx'

export type Entry = { id: string; label: string; kind: string; to: Place; needs?: Scope }

const at = (page: Place['page'], act?: string): Place => ({
  page,
  project: null,
  ...(act && { query: { do: act } }),
})

/** Pages and acts of a project, found by their words. */
export const entries: readonly Entry[] = [
  { id: 'add-pet', label: 'Add pet', kind: 'Act', to: at('pets', 'add'), needs: 'pets_write' },
  { id: 'import', label: 'Import pets', kind: 'Act', to: at('pets', 'import'), needs: 'pets_write' },
  { id: 'export', label: 'Export pets', kind: 'Act', to: at('pets', 'export'), needs: 'pets_read' },
  { id: 'new-order', label: 'New order', kind: 'Act', to: at('orders', 'add'), needs: 'orders_write' },
  { id: 'issue-key', label: 'Issue key', kind: 'Act', to: at('keys', 'add'), needs: 'project_write' },
  {
    id: 'publish',
    label: 'Publish the project',
    kind: 'Act',
    to: at('deploys', 'add'),
    needs: 'project_write',
  },
  {
    id: 'add-domain',
    label: 'Add domain',
    kind: 'Act',
    to: at('settings/domains', 'add'),
    needs: 'project_write',
  },
  {
    id: 'add-webhook',
    label: 'Add webhook endpoint',
    kind: 'Act',
    to: at('settings/webhooks', 'add'),
    needs: 'webhooks_write',
  },
  { id: 'overview', label: 'Overview', kind: 'Page', to: at('overview') },
  { id: 'pets', label: 'Pets', kind: 'Page', to: at('pets') },
  { id: 'categories', label: 'Categories', kind: 'Page', to: at('pets/categories') },
  { id: 'orders', label: 'Orders', kind: 'Page', to: at('orders') },
  { id: 'keys', label: 'API keys', kind: 'Page', to: at('keys') },
  { id: 'deploys', label: 'Deploys', kind: 'Page', to: at('deploys') },
  { id: 'domains', label: 'Domains', kind: 'Page', to: at('settings/domains') },
  { id: 'redirects', label: 'Primary and redirects', kind: 'Page', to: at('settings/addresses') },
  { id: 'webhooks', label: 'Webhooks', kind: 'Page', to: at('settings/webhooks') },
  { id: 'activity', label: 'Activity', kind: 'Page', to: at('settings/activity') },
  { id: 'plan', label: 'Plan and limits', kind: 'Page', to: at('settings/general') },
]

/** Returns the entries in which every word of the text begins a word; those whose label begins with it first. */
export function entriesFor(text: string, all: readonly Entry[] = entries): Entry[] {
  const wanted = text.trim().toLowerCase()
  const words = wanted.split(/\s+/)
  const fits = (label: string) => {
    const own = label.toLowerCase().split(/\s+/)
    return words.every(word => own.some(each => each.startsWith(word)))
  }
  const found = all.filter(({ label }) => wanted === '' || fits(label))
  const rank = ({ label }: Entry) => (label.toLowerCase().startsWith(wanted) ? 0 : 1)
  return found.toSorted((one, other) => rank(one) - rank(other))
}
