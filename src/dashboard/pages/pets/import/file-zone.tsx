import { useId } from 'react'
import { t } from '../../../texts/pages.ts'
import { UploadIcon } from '../../../ui/icons.tsx'

type Props = { busy: boolean; isChosen: boolean; onFiles(files: readonly File[]): void }

/** A file button that looks like a drop zone. The whole page accepts dropped files (file-drop.ts). */
export function FileZone({ busy, isChosen, onFiles }: Props) {
  const id = useId()
  return (
    <div className={`file-zone ${isChosen ? 'chosen' : ''}`} data-takes-files={busy ? undefined : ''}>
      <input
        id={id}
        type="file"
        className="sr"
        accept=".csv,.ndjson,.jsonl,.txt,text/csv,application/x-ndjson"
        aria-describedby={`${id}-hint`}
        aria-disabled={busy || undefined}
        onClick={event => busy && event.preventDefault()}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          // Without this, choosing the same file again would fire no change event.
          target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
      <label htmlFor={id}>
        <UploadIcon />
        <span>{isChosen ? t.pets.chooseAnotherFile : t.pets.chooseFileOrDropIt}</span>
      </label>
      <p className="small soft" id={`${id}-hint`}>
        {t.pets.csvWithColumnsNameCategoryId}
      </p>
    </div>
  )
}
