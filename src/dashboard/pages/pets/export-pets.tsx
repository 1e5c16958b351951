import { useEffect, useRef, useState } from 'react'
import type { Credential } from '../../app/credential.ts'
import { askRest } from '../../app/rest.ts'
import { useSession } from '../../app/session.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { download } from '../../ui/download.ts'
import { Choice } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { progressOf } from './progress.ts'
import { readExport } from './read-export.ts'

type Format = 'csv' | 'ndjson'
type Props = { filters: Record<string, string | null>; onClose(): void }

/** Downloads all pets, or those that match the list's filters. Shows the cost first. */
export function ExportPets({ filters, onClose }: Props) {
  const { key } = useSession()
  const announce = useAnnounce()
  const [format, setFormat] = useState<Format>('csv')
  const [price, setPrice] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [progress, setProgress] = useState('')
  const stop = useRef(new AbortController())
  // Closing the dialog stops the export.
  useEffect(() => () => stop.current.abort(), [])
  const given = Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value]] : []))
  const query = new URLSearchParams(given).toString()

  useEffect(() => {
    const leave = new AbortController()
    askExport(key, query, { method: 'HEAD', signal: leave.signal }).then(
      answer => setPrice(Number(answer.headers.get('X-RateLimit-Cost'))),
      error => !leave.signal.aborted && setProblem(error.message),
    )
    return () => leave.abort()
  }, [key, query])

  const submit = async () => {
    if (busy || price === null) return
    setBusy(true)
    setProblem(null)
    setProgress('')
    stop.current = new AbortController()
    const { signal } = stop.current
    try {
      const total = await countPets(key, filters, signal)
      const startedAt = performance.now()
      const exportQuery = `${query}&format=${format}${format === 'csv' ? '&safe=1' : ''}`
      const answer = await askExport(key, exportQuery, { method: 'GET', signal })
      const file = await readExport(answer, lines => {
        const pets = format === 'csv' ? Math.max(0, lines - 1) : lines
        setProgress(progressOf(pets, total, performance.now() - startedAt))
      })
      download(`pets.${format}`, file)
      announce(t.pets.petsExported)
      onClose()
    } catch (error) {
      setBusy(false)
      if (!signal.aborted) setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <Dialog title={t.pets.exportPets} onClose={onClose} onSubmit={() => void submit()}>
      <p>{given.length > 0 ? t.pets.exportOfMatching : t.pets.exportOfAll}</p>
      <Choice
        label={t.pets.format}
        value={format}
        onChange={event => setFormat(event.target.value as Format)}
      >
        <option value="csv">{t.pets.csvForSpreadsheets}</option>
        <option value="ndjson">{t.pets.ndjsonPetLineForPrograms}</option>
      </Choice>
      <p className="soft" role="status">
        {price !== null && t.pets.exportCosts(price)}
        {price === null && problem === null && t.pets.askingWhatItCosts}
      </p>
      {busy && progress && <p aria-live="off">{progress}</p>}
      {problem && (
        <Notice tone="bad" title={t.pets.petsCouldNotBeExported} alert>
          <p>{problem}</p>
        </Notice>
      )}
      <div className="actions">
        <Button onClick={busy ? () => stop.current.abort() : onClose}>
          {busy ? t.pets.stop : t.pets.cancel}
        </Button>
        <Button kind="primary" type="submit" busy={busy} aria-disabled={price === null || undefined}>
          {busy ? t.pets.exporting : t.pets.exportIt}
        </Button>
      </div>
    </Dialog>
  )
}

/** Returns the number of pets to export; null if the service has no count for the filters. */
async function countPets(
  key: Credential,
  filters: Props['filters'],
  signal: AbortSignal,
): Promise<number | null> {
  const { status, ...others } = filters
  if (Object.values(others).some(Boolean)) return null
  const answer = await askRest(key, '/v1/store/inventory', { signal })
  return (await answer.json())[status ?? 'total']
}

const askExport = (key: Credential, query: string, how: RequestInit) =>
  askRest(key, `/v1/pets/export?${query}`, how)
