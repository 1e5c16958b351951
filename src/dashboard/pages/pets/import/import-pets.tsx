import { useEffect, useRef, useState } from 'react'
import { useProject } from '../../../app/project.ts'
import { RestError } from '../../../app/rest.ts'
import { t } from '../../../texts/pages.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Until } from '../../../ui/time.tsx'
import { FileZone } from './file-zone.tsx'
import { ImportFailed, NotTaken } from './import-failed.tsx'
import { goOn, type Look, lookAt, NoLook } from './look-at-file.ts'
import { countPets, LookedAt } from './looked-at.tsx'
import { useImport } from './use-import.ts'

type Props = { dropped: readonly File[]; onImported(): void; onClose(): void }
type Problem = NoLook | RestError

/**
 * Previews a file, then imports it part by part. After an error the file stays chosen, so that the reader can fix it or
 * try again. The import then continues after the parts that are already imported.
 */
export function ImportPets({ dropped, onImported, onClose }: Props) {
  const { project } = useProject()
  const [look, setLook] = useState<Look | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isReading, setIsReading] = useState(false)
  const timesChosen = useRef(0)
  const { run, stop, attempt, busy, done, setDone, progress, waitsUntil } = useImport(
    onImported,
    onClose,
    setProblem,
  )

  const choose = async (files: readonly File[]) => {
    const [file] = files
    if (!file || busy) return
    // A large file is read for seconds. Show nothing of it if the reader has chosen another file meanwhile.
    const own = ++timesChosen.current
    const isLatest = () => own === timesChosen.current
    setIsReading(true)
    try {
      if (files.length > 1) throw new NoLook(t.pets.chooseOneFileAtTime)
      const found = await lookAt(file)
      if (!isLatest()) return
      const next = goOn(attempt.current, found)
      setDone(next.done)
      setProblem(null)
      setLook(next.look)
    } catch (error) {
      if (!isLatest()) return
      setLook(null)
      setProblem(error instanceof NoLook ? error : new NoLook(t.pets.itCannotBeRead))
    } finally {
      if (isLatest()) setIsReading(false)
    }
  }
  useEffect(() => void choose(dropped), [dropped])

  const isFaulty = problem instanceof RestError && problem.details.length > 0
  const submit = () => {
    if (!busy && !isReading && look && !isFaulty) void run(look)
  }
  const imported = look ? countPets(look, done) : 0
  const close = () => {
    if (busy) return
    if (imported > 0) onImported()
    onClose()
  }
  return (
    <Dialog title={t.pets.importPets} onClose={close} onEscape={close} onSubmit={submit}>
      <FileZone busy={busy} isChosen={look !== null} onFiles={files => void choose(files)} />
      {problem instanceof NoLook && <NotTaken problem={problem} />}
      {look && !isFaulty && <LookedAt look={look} done={done} limits={project?.limits} />}
      {problem instanceof RestError && look && (
        <ImportFailed problem={problem} fileName={look.fileName} imported={imported} />
      )}
      <p className="sr" role="status">
        {busy && t.pets.importingStayOnThisPage}
        {isReading && t.pets.readingFile}
      </p>
      {isReading && <p aria-live="off">{t.pets.readingFile}</p>}
      {busy && <p aria-live="off">{progress}</p>}
      {waitsUntil && <p aria-live="off">{t.pets.yourRequestsAreUsedUpForNow(<Until at={waitsUntil} />)}</p>}
      <div className="actions">
        <Button onClick={busy ? stop : close}>{busy ? t.pets.stop : t.pets.cancel}</Button>
        <Button
          kind="primary"
          type="submit"
          busy={busy}
          aria-disabled={!look || isFaulty || isReading || undefined}
        >
          {busy ? t.pets.importing : nameOfAct(look, imported, problem !== null && !isFaulty)}
        </Button>
      </div>
    </Dialog>
  )
}

function nameOfAct(look: Look | null, imported: number, isTriedAgain: boolean): string {
  if (!look) return t.pets.importIt
  if (isTriedAgain) return t.pets.tryAgain
  return (imported > 0 ? t.pets.importOthers : t.pets.importCount)(look.pets - imported)
}
