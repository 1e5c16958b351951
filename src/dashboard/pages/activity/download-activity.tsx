import { useState } from 'react'
import { useClient } from 'urql'
import { problemOf } from '../../app/problem.ts'
import type { ActivityQueryVariables } from '../../generated/pages/graphql.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { download } from '../../ui/download.ts'
import { Menu } from '../../ui/menu.tsx'
import { type Format, readAll } from './read-all.ts'

type Props = { filters: Omit<ActivityQueryVariables, 'first' | 'after'> }

/** Downloads all entries that match the filters. */
export function DownloadActivity({ filters }: Props) {
  const client = useClient()
  const announce = useAnnounce()
  const [isBusy, setIsBusy] = useState(false)
  const act = async (format: Format) => {
    if (isBusy) return
    setIsBusy(true)
    const { text, error, count } = await readAll(client, filters, format)
    setIsBusy(false)
    if (error) return announce(problemOf(error).message, undefined, { isProblem: true })
    const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson'
    download(`activity${filters.slug ? `-${filters.slug}` : ''}.${format}`, new Blob([text], { type }))
    announce(`Downloaded ${count.toLocaleString('en')} ${count === 1 ? 'entry' : 'entries'}.`)
  }
  return (
    <Menu
      label="Download the entries"
      text={isBusy ? 'Downloading…' : 'Download'}
      items={[
        { label: 'CSV', act: () => void act('csv') },
        { label: 'NDJSON', act: () => void act('ndjson') },
      ]}
    />
  )
}
