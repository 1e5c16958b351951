import { useEffect, useState } from 'react'
import { useProject } from '../../../app/project.ts'
import { RestError } from '../../../app/rest.ts'
import { useSession } from '../../../app/session.ts'
import { useAnnounce } from '../../../ui/announce.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FileZone } from './file-zone.tsx'
import { ImportFailed, NotTaken } from './import-failed.tsx'
import { type Look, lookAt, NoLook } from './look-at-file.ts'
import { LookedAt, petsInWords } from './looked-at.tsx'
import { sendImport } from './send-import.ts'

type Props = { dropped: readonly File[]; onImported(): void; onClose(): void }
type Problem = NoLook | RestError

/** Previews a file, then imports it. After an error the file stays chosen, to be fixed or tried again. */
export function ImportPets({ dropped, onImported, onClose }: Props) {
  const { key } = useSession()
  const { project } = useProject()
  const announce = useAnnounce()
  const [look, setLook] = useState<Look | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [busy, setBusy] = useState(false)

  const choose = async (files: readonly File[]) => {
    const [file] = files
    if (!file || busy) return
    try {
      if (files.length > 1) throw new NoLook('Choose one file at a time.')
      const seen = await lookAt(file)
      setProblem(null)
      setLook(seen)
    } catch (error) {
      setLook(null)
      setProblem(error instanceof NoLook ? error : new NoLook('It cannot be read.'))
    }
  }
  useEffect(() => void choose(dropped), [dropped])

  const isFaulty = problem instanceof RestError && problem.details.length > 0
  const submit = async () => {
    if (busy || !look || isFaulty) return
    setBusy(true)
    setProblem(null)
    try {
      const { imported, lastId } = await sendImport(key, look)
      announce(`${petsInWords(imported)} imported.`, lastId)
      onImported()
      onClose()
    } catch (error) {
      setProblem(error instanceof RestError ? error : unreachable())
      setBusy(false)
    }
  }
  const close = () => busy || onClose()
  return (
    <Dialog title="Import pets" onClose={onClose} onEscape={close} onSubmit={() => void submit()}>
      <FileZone busy={busy} isChosen={look !== null} onFiles={files => void choose(files)} />
      {problem instanceof NoLook && <NotTaken problem={problem} />}
      {look && !isFaulty && <LookedAt look={look} limits={project?.limits} />}
      {problem instanceof RestError && look && <ImportFailed problem={problem} fileName={look.fileName} />}
      <p className="sr" role="status">
        {busy && 'Importing. Stay on this page.'}
      </p>
      <div className="actions">
        <Button onClick={close} aria-disabled={busy || undefined}>
          Cancel
        </Button>
        <Button kind="primary" type="submit" busy={busy} aria-disabled={!look || isFaulty || undefined}>
          {busy ? 'Importing…' : nameOfAct(look, problem !== null && !isFaulty)}
        </Button>
      </div>
    </Dialog>
  )
}

function nameOfAct(look: Look | null, isTriedAgain: boolean): string {
  if (!look) return 'Import'
  return isTriedAgain ? 'Try again' : `Import ${petsInWords(look.pets)}`
}

/** Handles a connection that broke before the answer. */
const unreachable = () =>
  new RestError({ code: 'offline', message: 'The answer of the store was lost on the way. Try again.' })
