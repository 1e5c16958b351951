import type { KeyRowFragment } from '../../generated/pages/graphql.ts'
import { type Act, KeyRow } from './key-row.tsx'

type Props = { keys: KeyRowFragment[]; missing: string | null; onAct(act: Act): void }

export function KeysTable({ keys, missing, onAct }: Props) {
  return (
    <div className="card flush menus">
      <table className="fixed">
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col" className="col-l wide">
              Allows
            </th>
            <th scope="col" className="col-l wide">
              Last used
            </th>
            <th scope="col" className="col-l">
              Ends
            </th>
            <th scope="col" className="col-s">
              <span className="sr">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map(key => (
            <KeyRow key={key.id} apiKey={key} missing={missing} onAct={onAct} />
          ))}
        </tbody>
      </table>
    </div>
  )
}
