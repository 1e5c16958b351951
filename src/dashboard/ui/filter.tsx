import { useRouter } from '../app/router.tsx'

/** Changing a filter or the sort order also returns to the first page. */
export const firstPage = { page: null, after: null }

/** A URL parameter with a few possible values; the first is the default. */
export function useFilter<Value extends string>(name: string, values: readonly Value[]): Value {
  const inAddress = useRouter().query.get(name)
  return values.find(value => value === inAddress) ?? (values[0] as Value)
}

type Props<Value> = { label: string; name: string; options: readonly { value: Value; label: string }[] }

/**
 * Buttons for all values, side by side. `useFilter` reads the chosen value. A choice also removes the parameters in
 * `clears`.
 */
export function Segments<Value extends string>({
  label,
  name,
  options,
  clears = firstPage,
}: Props<Value> & { clears?: Record<string, null> }) {
  const { ask } = useRouter()
  const values = options.map(({ value }) => value)
  const chosen = useFilter(name, values)
  return (
    <fieldset className="segments">
      <legend className="sr">{label}</legend>
      {options.map(({ value, label: text }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => ask({ [name]: value === values[0] ? null : value, ...clears })}
        >
          {text}
        </button>
      ))}
    </fieldset>
  )
}

export function Filter<Value extends string>({ label, name, options }: Props<Value>) {
  const { ask } = useRouter()
  const values = options.map(({ value }) => value)
  const chosen = useFilter(name, values)
  return (
    <select
      className="input filter"
      aria-label={label}
      value={chosen}
      onChange={({ target }) =>
        ask({ [name]: target.value === values[0] ? null : target.value, ...firstPage })
      }
    >
      {options.map(({ value, label: text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
}
