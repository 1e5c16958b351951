import { type InputHTMLAttributes, useEffect, useId, useState } from 'react'

/** A thing that has a name for people and a number for the store. */
export type Named = { number: string; name: string }
export type PickerProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> & {
  /** The number of the chosen thing, or the typed text if it names no thing. */
  value: string
  onChange(value: string): void
}
type Props = PickerProps & {
  /** Returns suggestions for the typed text; none while the field is not used. */
  useNamed(typed: string, isUsed: boolean): readonly Named[]
}

const labelOf = ({ number, name }: Named) => `${name} (${number})`

/** A field for a number. Suggests the things with a name, and accepts any other number. */
export function Picker({ value, onChange, useNamed, ...input }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const [isUsed, setIsUsed] = useState(false)
  const list = useId()
  const named = useNamed(typed ?? value, isUsed || value !== '')
  // Look up the text again if the names arrive after the reader has typed the text.
  useEffect(() => {
    const number = numberIn(value, named)
    if (number !== value) onChange(number)
  }, [value, named])
  const chosen = named.find(({ number }) => number === value)
  return (
    <>
      <input
        {...input}
        className="input"
        list={list}
        autoComplete="off"
        value={typed ?? (chosen ? labelOf(chosen) : value)}
        onFocus={() => setIsUsed(true)}
        onChange={event => {
          setTyped(event.target.value)
          onChange(numberIn(event.target.value, named))
        }}
        onBlur={() => setTyped(null)}
      />
      <datalist id={list}>
        {named.map(each => (
          <option key={each.number} value={labelOf(each)} />
        ))}
      </datalist>
    </>
  )
}

/** Returns the number of the thing if the text names exactly one thing, or else the text. */
function numberIn(text: string, named: readonly Named[]): string {
  const wanted = text.trim().toLowerCase()
  // A typed number always means the thing with this number, even if the name of another thing is equal to the number.
  if (/^-?\d+$/.test(wanted)) return wanted
  const labelled = named.find(each => labelOf(each).toLowerCase() === wanted)
  const sameName = named.filter(({ name }) => name.toLowerCase() === wanted)
  return (labelled ?? (sameName.length === 1 ? sameName[0] : undefined))?.number ?? text.trim()
}

const pauseMs = 300

/** Returns the typed text once the reader stops typing. Returns an empty text if a number was typed. */
export function usePaused(typed: string): string {
  const [part, setPart] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setPart(/^-?\d*$/.test(typed.trim()) ? '' : typed.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  return part
}
