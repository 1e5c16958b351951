import { useState } from 'react'
import { draftPrefix } from './forget-drafts.ts'
import { useProjectSlug } from './project.ts'
import { useSession } from './session.ts'

export type DraftState = {
  /** True if the form shows what was typed into it before. */
  restored: boolean
  startOver(): void
  /** Call this when the form is saved or cancelled. Keeps a draft that was typed in after the form was sent. */
  forget(): void
}

/**
 * The state of a form. This tab keeps it until the form is saved or cancelled, even if the reader presses Escape or the
 * key expires. `latest` reads the draft after an answer, because the reader may type while a request runs.
 */
export function useDraft<Draft>(
  form: string,
  initial: () => Draft,
): [draft: Draft, change: (draft: Draft) => void, state: DraftState, latest: () => Draft] {
  const { projectSlug } = useSession()
  const project = useProjectSlug() ?? projectSlug ?? ''
  const place = `${draftPrefix}${project}.${form}`
  const read = () => {
    const stored = sessionStorage.getItem(place)
    return stored === null ? null : (JSON.parse(stored) as Draft)
  }
  const [first] = useState(read)
  const [restored, setRestored] = useState(first !== null)
  const [draft, setDraft] = useState(first ?? initial)
  const forget = () => {
    if (sessionStorage.getItem(place) === JSON.stringify(draft)) sessionStorage.removeItem(place)
  }
  const change = (changed: Draft) => {
    setDraft(changed)
    sessionStorage.setItem(place, JSON.stringify(changed))
  }
  const startOver = () => {
    sessionStorage.removeItem(place)
    setDraft(initial())
    setRestored(false)
  }
  return [draft, change, { restored, startOver, forget }, () => read() ?? draft]
}
