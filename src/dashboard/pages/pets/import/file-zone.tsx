import { useId } from 'react'
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
        <span>{isChosen ? 'Choose another file' : 'Choose a file, or drop it here'}</span>
      </label>
      <p className="small soft" id={`${id}-hint`}>
        CSV with the columns name, categoryId and status, or NDJSON, a pet a line. Up to 1,000,000 pets or 100
        MB.
      </p>
    </div>
  )
}
