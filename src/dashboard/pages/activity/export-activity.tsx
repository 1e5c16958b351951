import { useState } from 'react'
import { useClient } from 'urql'
import { askRest } from '../../app/rest.ts'
import { useSession } from '../../app/session.ts'
import type { ActivityQueryVariables } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { download } from '../../ui/download.ts'
import { Menu } from '../../ui/menu.tsx'
import { type Format, readAll } from './read-all.ts'

type Filters = Omit<ActivityQueryVariables, 'first' | 'after'>

/** Downloads all entries that match the filters, the oldest first. */
export function ExportActivity({ filters }: { filters: Filters }) {
  const { key, operator } = useSession()
  const client = useClient()
  const announce = useAnnounce()
  const [isBusy, setIsBusy] = useState(false)
  const act = async (format: Format) => {
    if (isBusy) return
    setIsBusy(true)
    try {
      // An operator's key cannot use REST.
      const file = operator
        ? await readAll(client, filters, format)
        : await (await askRest(key, `/v1/events/export?${queryOf(filters, format)}`, {})).blob()
      download(`activity${filters.slug ? `-${filters.slug}` : ''}.${format}`, file)
      announce(t.activity.activityExported)
    } catch (error) {
      announce(error instanceof Error ? error.message : String(error), undefined, { isProblem: true })
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Menu
      label={t.activity.exportEntries}
      text={isBusy ? t.activity.exporting : t.activity.exportIt}
      items={[
        { label: t.activity.csvForSpreadsheets, act: () => void act('csv') },
        { label: t.activity.ndjsonForPrograms, act: () => void act('ndjson') },
      ]}
    />
  )
}

function queryOf({ slug, types, ...filters }: Filters, format: Format): string {
  const given = { ...filters, type: types?.toString(), format, safe: format === 'csv' ? '1' : null }
  return new URLSearchParams(
    Object.entries(given).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])),
  ).toString()
}
