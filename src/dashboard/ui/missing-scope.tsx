import { LockIcon } from './icons.tsx'
import { Empty } from './states.tsx'

/** Shown instead of content that requires a scope the key lacks. */
export function MissingScope({ scope, what }: { scope: string; what: string }) {
  return (
    <div className="card">
      <Empty icon={<LockIcon size={32} />} title={`Your key doesn’t have access to ${what}`}>
        <p>
          It lacks the scope <span className="mono">{scope}</span>. Sign in with a key that has it, or issue
          one under API keys.
        </p>
      </Empty>
    </div>
  )
}
