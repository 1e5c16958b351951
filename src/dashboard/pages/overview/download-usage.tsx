import { useState } from 'react'
import { useClient } from 'urql'
import { problemOf } from '../../app/problem.ts'
import { useProjectSlug } from '../../app/project.ts'
import { t } from '../../texts/index.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'
import type { Span } from '../../usage/spans.ts'

export function DownloadUsage({ span: { value, days, hours } }: { span: Span }) {
  const project = useProjectSlug() ?? null
  const client = useClient()
  const announce = useAnnounce()
  const [busy, setBusy] = useState(false)
  const act = async () => {
    setBusy(true)
    try {
      // Load on demand: few readers download, and the first page load must stay small.
      const { downloadUsage } = await import('../../usage/csv.ts')
      const error = await downloadUsage(client, value, { days, hours, project })
      const text = error ? problemOf(error).message : t.overview.downloadComplete
      announce(text, undefined, { isProblem: error !== undefined })
    } catch {
      announce(t.ui.partOfThisPageCouldNot, undefined, { isProblem: true })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button kind="quiet" onClick={() => void act()} busy={busy} title={t.overview.byDayOrHourKey}>
      <DownloadIcon /> CSV
    </Button>
  )
}
