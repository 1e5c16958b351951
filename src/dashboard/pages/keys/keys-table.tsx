import type { KeyRowFragment } from '../../generated/pages/graphql.ts'
import { Table, unseen } from '../../ui/table.tsx'
import { type Act, KeyRow } from './key-row.tsx'

type Props = { keys: KeyRowFragment[]; missing: string | null; onAct(act: Act): void }

const columns = [
  ['Key'],
  ['Permissions', 'col-l wide'],
  ['Last used', 'col-m wide'],
  ['Expires', 'col-l'],
  [unseen('Actions'), 'col-s'],
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
