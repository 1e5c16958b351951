import type { DraftState } from '../app/draft.ts'
import { t } from '../texts/pages.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/** Says that a form shows what was typed into it before. */
export function Restored({ restored, startOver }: DraftState) {
  if (!restored) return null
  return (
    <Notice>
      <div className="row spread">
        <p>{t.ui.yourUnsavedChangesAreBack}</p>
        <Button kind="quiet" onClick={startOver}>
          {t.ui.startOver}
        </Button>
      </div>
    </Notice>
  )
}
