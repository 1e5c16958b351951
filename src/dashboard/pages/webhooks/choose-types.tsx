import { t } from '../../texts/pages.ts'
import { typeGroups } from './event-types.ts'

type Props = {
  /** Empty: all types. */
  chosen: readonly string[]
  isAll: boolean
  error: string | undefined
  onChange(isAll: boolean, chosen: string[]): void
}

/** The events that an endpoint receives: all, or some types. */
export function ChooseTypes({ chosen, isAll, error, onChange }: Props) {
  const toggle = (type: string) =>
    onChange(false, chosen.includes(type) ? chosen.filter(other => other !== type) : [...chosen, type])
  return (
    <fieldset className="stack-tight">
      <legend className="legend">{t.webhooks.events}</legend>
      <div className="check">
        <input
          id="all-types"
          type="radio"
          name="types"
          checked={isAll}
          onChange={() => onChange(true, [...chosen])}
        />
        <label htmlFor="all-types">{t.webhooks.allEventsAndThoseAdded}</label>
      </div>
      <div className="check">
        <input
          id="some-types"
          type="radio"
          name="types"
          checked={!isAll}
          onChange={() => onChange(false, [...chosen])}
        />
        <label htmlFor="some-types">{t.webhooks.onlyThese}</label>
      </div>
      {!isAll && (
        <div className="types">
          {typeGroups.map(({ title, types }) => (
            <fieldset key={title}>
              <legend className="small soft">{title}</legend>
              {types.map(type => (
                <div className="check" key={type}>
                  <input
                    id={type}
                    type="checkbox"
                    checked={chosen.includes(type)}
                    onChange={() => toggle(type)}
                  />
                  <label htmlFor={type} className="mono small">
                    {type}
                  </label>
                </div>
              ))}
            </fieldset>
          ))}
        </div>
      )}
      {error && (
        <p className="bad-text small" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
