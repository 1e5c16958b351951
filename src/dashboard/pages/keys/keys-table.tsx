import type { ApiKeySort } from '../../../generated/contract.ts'
import type { KeyRowFragment } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { by, byAge } from '../../ui/sort.ts'
import { optionsOf } from '../../ui/sort-by.tsx'
import { Table, unseen } from '../../ui/table.tsx'
import { type Act, KeyRow } from './key-row.tsx'

type Props = { keys: KeyRowFragment[]; usual: string; missing: string | null; onAct(act: Act): void }

const columns = (usual: string) =>
  [
    [t.keys.key, undefined, by('name', usual, t.sorts.name)],
    [t.keys.permissions, 'col-l wide'],
    [t.keys.lastUsed, 'col-m wide', by('used', usual, t.sorts.lastUse)],
    [t.keys.expires, 'col-l', by('end', usual, t.sorts.end)],
    [unseen(t.keys.actions), 'col-s'],
  ] as const

export const sortNames = ['newest', 'oldest', 'name', '-name', 'used', '-used', 'end', '-end'] as const
type SortName = (typeof sortNames)[number]
/** The sort orders of the list, by their names in the URL. */
export const keySorts: Record<SortName, ApiKeySort> = {
  newest: 'newest_first',
  oldest: 'oldest_first',
  name: 'by_name',
  '-name': 'by_name_descending',
  used: 'by_last_use',
  '-used': 'by_last_use_descending',
  end: 'by_end',
  '-end': 'by_end_descending',
}

/** The options of "Sort by", the usual order first. */
export const sortOptions = (usual: SortName) => {
  const orders = columns(usual).flatMap(([, , order]) => order ?? [])
  return optionsOf([{ ...byAge, usual }, ...orders])
}

export function KeysTable({ keys, usual, missing, onAct }: Props) {
  return (
    <Table columns={columns(usual)} hasMenus isSortedAbove>
      {keys.map(key => (
        <KeyRow key={key.id} apiKey={key} missing={missing} onAct={onAct} />
      ))}
    </Table>
  )
}
