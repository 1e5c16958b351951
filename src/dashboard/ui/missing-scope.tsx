import { t } from '../texts/pages.ts'
import { LockIcon } from './icons.tsx'
import { Empty } from './states.tsx'

/** Shown instead of content that requires a scope the key lacks. */
export function MissingScope({ scope, what }: { scope: string; what: string }) {
  return (
    <div className="card">
      <Empty icon={<LockIcon size={32} />} title={t.ui.youDontHaveAccessTo(what)}>
        <p>{t.ui.thisNeedsScopeScope(<span className="mono">{scope}</span>)}</p>
      </Empty>
    </div>
  )
}
