import { t } from '../texts/index.ts'
import { BracesIcon, DatabaseIcon } from '../ui/icons.tsx'
import { useSession } from './session.ts'

/** The document names the pages beside it that this service has. */
const named = document.querySelector<HTMLMetaElement>('meta[name=beside]')?.content.split(' ') ?? []

/** Links to pages that not every service has, and that not everybody may open: Studio shows the rows of all projects. */
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
