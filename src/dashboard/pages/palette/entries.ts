import type { Scope } from '../../../generated/contract.ts'
import type { Place } from '../../app/router.tsx'
import { t } from '../../texts/pages.ts'

export type Entry = { id: string; label: string; kind: string; to: Place; needs?: Scope }

const at = (page: Place['page'], act?: string): Place => ({
  page,
  project: null,
  ...(act && { query: { do: act } }),
})

/** Pages and acts of a project, found by the words of their labels. */
export const entries: readonly Entry[] = [
  { id: 'add-pet', label: t.palette.addPet, kind: t.palette.act, to: at('pets', 'add'), needs: 'pets_write' },
  {
    id: 'import',
    label: t.palette.importPets,
    kind: t.palette.act,
    to: at('pets', 'import'),
    needs: 'pets_write',
  },
  {
    id: 'export',
    label: t.palette.exportPets,
    kind: t.palette.act,
    to: at('pets', 'export'),
    needs: 'pets_read',
  },
  {
    id: 'new-order',
    label: t.palette.newOrder,
    kind: t.palette.act,
    to: at('orders', 'add'),
    needs: 'orders_write',
  },
  {
    id: 'issue-key',
    label: t.palette.issueKey,
    kind: t.palette.act,
    to: at('keys', 'add'),
    needs: 'project_write',
  },
  {
    id: 'publish',
    label: t.palette.publishProject,
    kind: t.palette.act,
    to: at('deploys', 'add'),
    needs: 'project_write',
  },
  {
    id: 'add-domain',
    label: t.palette.addDomain,
    kind: t.palette.act,
    to: at('settings/domains', 'add'),
    needs: 'project_write',
  },
  {
    id: 'add-webhook',
    label: t.palette.addWebhookEndpoint,
    kind: t.palette.act,
    to: at('settings/webhooks', 'add'),
    needs: 'webhooks_write',
  },
  { id: 'overview', label: t.palette.overview, kind: t.palette.page, to: at('overview') },
  { id: 'pets', label: t.palette.pets, kind: t.palette.page, to: at('pets') },
  { id: 'categories', label: t.palette.categories, kind: t.palette.page, to: at('pets/categories') },
  { id: 'orders', label: t.palette.orders, kind: t.palette.page, to: at('orders') },
  { id: 'keys', label: t.palette.apiKeys, kind: t.palette.page, to: at('keys') },
  { id: 'deploys', label: t.palette.deploys, kind: t.palette.page, to: at('deploys') },
  { id: 'domains', label: t.palette.domains, kind: t.palette.page, to: at('settings/domains') },
  {
    id: 'redirects',
    label: t.palette.primaryAndRedirects,
    kind: t.palette.page,
    to: at('settings/addresses'),
  },
  { id: 'webhooks', label: t.palette.webhooks, kind: t.palette.page, to: at('settings/webhooks') },
  { id: 'activity', label: t.palette.activity, kind: t.palette.page, to: at('settings/activity') },
  { id: 'plan', label: t.palette.planAndLimits, kind: t.palette.page, to: at('settings/general') },
]

/**
 * Returns the entries that match the text: each word of the text must begin a word of the label. Entries whose label
 * begins with the text come first.
 */
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
