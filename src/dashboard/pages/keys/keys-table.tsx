import type { KeyRowFragment } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { Table, unseen } from '../../ui/table.tsx'
import { type Act, KeyRow } from './key-row.tsx'

type Props = { keys: KeyRowFragment[]; missing: string | null; onAct(act: Act): void }

const columns = [
  [t.keys.key],
  [t.keys.permissions, 'col-l wide'],
  [t.keys.lastUsed, 'col-m wide'],
  [t.keys.expires, 'col-l'],
  [unseen(t.keys.actions), 'col-s'],
] as const

export function KeysTable({ keys, missing, onAct }: Props) {
  return (
    <Table columns={columns} hasMenus>
      {keys.map(key => (
        <KeyRow key={key.id} apiKey={key} missing={missing} onAct={onAct} />
      ))}
    </Table>
  )
}
