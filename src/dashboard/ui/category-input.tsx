import { type InputHTMLAttributes, useEffect, useId, useState } from 'react'
import { useQuery } from '../app/operations.ts'
import { useMissing } from '../app/session.ts'
import { CategoryNamesDocument } from '../generated/pages/graphql.ts'

type Named = { categoryId: string; name: string }
type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> & {
  /** The number of a category, or what cannot be read as one. */
  value: string
  onChange(value: string): void
}

const labelOf = ({ categoryId, name }: Named) => `${name} (${categoryId})`

/** A field for a category: suggests those with a name, and takes any other number. */
export function CategoryInput({ value, onChange, ...input }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const [isUsed, setIsUsed] = useState(false)
  const list = useId()
  const named = useNamed(typed ?? '', isUsed || value !== '')
  // The names may arrive after the text was typed.
  useEffect(() => {
    const number = numberIn(value, named)
    if (number !== value) onChange(number)
  }, [value, named])
  const chosen = named.find(({ categoryId }) => categoryId === value)
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
        {named.map(category => (
          <option key={category.categoryId} value={labelOf(category)} />
        ))}
      </datalist>
    </>
  )
}

/** Returns the number of the category that a text names, or the text. */
function numberIn(text: string, named: readonly Named[]): string {
  const asked = text.trim().toLowerCase()
  const fits = (category: Named) =>
    labelOf(category).toLowerCase() === asked || category.name.toLowerCase() === asked
  return named.find(fits)?.categoryId ?? text.trim()
}

const pauseMs = 300
const none: Named[] = []

/** The categories that have a name. Each list costs a request of the plan, so only long lists are searched while typing. */
function useNamed(typed: string, isWanted: boolean): Named[] {
  const missing = useMissing('pets_read')
  const pause = !isWanted || missing !== null
  const [part, setPart] = useState('')
  const [{ data: all }] = useQuery({ query: CategoryNamesDocument, variables: { name: null }, pause })
  const isLong = all?.categories.pageInfo.hasNextPage === true
  const [{ data: found }] = useQuery({
    query: CategoryNamesDocument,
    variables: { name: part },
    pause: pause || !isLong || part === '',
  })
  useEffect(() => {
    const timer = setTimeout(() => setPart(/^-?\d*$/.test(typed.trim()) ? '' : typed.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (isLong && part !== '' && found ? found : all)?.categories.nodes ?? none
}
