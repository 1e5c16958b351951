import type { DraftState } from '../app/draft.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/** Says that a form shows what was typed into it before. */
export function Restored({ restored, startOver }: DraftState) {
  if (!restored) return null
  return (
    <Notice>
      <div className="row spread">
        <p>Your unsaved changes are back.</p>
        <Button kind="quiet" onClick={startOver}>
          Start over
        </Button>
      </div>
    </Notice>
  )
}
