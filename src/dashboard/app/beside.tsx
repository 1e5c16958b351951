import { t } from '../texts/index.ts'
import { BracesIcon, DatabaseIcon } from '../ui/icons.tsx'
import { useSession } from './session.ts'

/**
 * The pages outside the dashboard that this service offers. The service writes their names into a meta element of the
 * document.
 */
const named = document.querySelector<HTMLMetaElement>('meta[name=beside]')?.content.split(' ') ?? []

/**
 * Links to pages that some services lack and some readers may not open. For example, Studio shows the rows of all
 * projects.
 */
export function BesideLinks() {
  const { operator } = useSession()
  return (
    <>
      {named.includes('sandbox') && (
        <li className="wide-only">
          <a href="/graphql">
            <BracesIcon /> {t.shell.apolloSandbox}
          </a>
        </li>
      )}
      {operator && named.includes('studio') && (
        <li className="wide-only">
          <a href="/studio/">
            <DatabaseIcon /> {t.shell.prismaStudio}
          </a>
        </li>
      )}
    </>
  )
}
