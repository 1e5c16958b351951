import { type FormEvent, useState } from 'react'
import { useLiveQuery } from '../../app/live.ts'
import { useMutation } from '../../app/operations.ts'
import { useProjectId, useProjectSlug } from '../../app/project.ts'
import {
  JoinDomainsDocument,
  RemoveJoinDomainDocument,
  SetJoinDomainDocument,
} from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Failed } from '../../ui/states.tsx'
import { Table, unseen } from '../../ui/table.tsx'

/**
 * Manages the e-mail domains of the project. A person with an e-mail address of a listed domain may join the project
 * without an invitation. The section is shown only if the service has an identity provider.
 */
export function JoinDomains({ host }: { host: string }) {
  const project = useProjectSlug() ?? null
  const projectId = useProjectId()
  const [{ data, error, fetching: isLoading }, ask] = useLiveQuery({
    ...{ query: JoinDomainsDocument, variables: { project } },
    context: joinDomainContext,
  })
  const [{ fetching, error: refused }, set] = useMutation(SetJoinDomainDocument)
  const [{ error: kept, fetching: isRemoving }, remove] = useMutation(RemoveJoinDomainDocument)
  const [domain, setDomain] = useState('')
  const [role, setRole] = useState<'viewer' | 'developer'>('viewer')
  const announce = useAnnounce()
  const again = () => ask({ requestPolicy: 'network-only' })
  if (error && !data) return <Failed error={error} what={t.people.joinDomainsCouldNotBeLoaded} />
  const domains = data?.project.joinDomains ?? []
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (fetching) return
    const { data: done } = await set({ input: { projectId, domain, role } })
    if (!done) return
    setDomain('')
    announce(t.people.peopleOfDomainMayJoin(done.joinDomainSet.joinDomain.domain))
    again()
  }
  return (
    <section className="stack" aria-labelledby="join-domains-title">
      <h2 id="join-domains-title">{t.people.joinByAddress}</h2>
      <p>{t.people.peopleWithVerifiedAddress(host)}</p>
      {kept && <Failed error={kept} what={t.people.joinDomainCouldNotBeRemoved} />}
      {domains.length > 0 && (
        <>
          <Table columns={[[t.people.domain], [t.people.role], [unseen(t.people.actions), 'col-l']]}>
            {domains.map(each => (
              <tr key={each.domain}>
                <th scope="row" className="break">
                  {each.domain}
                </th>
                <td>{t.people.roles[each.role]}</td>
                <td>
                  <Button
                    // Stays busy until the list is loaded again, so that a double click removes once.
                    busy={isRemoving || isLoading}
                    aria-label={t.people.removeName(each.domain)}
                    onClick={async () => {
                      const { data: done } = await remove({ input: { projectId, domain: each.domain } })
                      if (done) announce(t.people.removedJoinDomain(each.domain))
                      again()
                    }}
                  >
                    {t.people.remove}
                  </Button>
                </td>
              </tr>
            ))}
          </Table>
          <div className="secret">
            <output aria-label={t.people.pageToJoin} className="mono break">
              {domains[0]?.url}
            </output>
            <CopyButton text={domains[0]?.url ?? ''} what={t.people.thePageToJoin} label={t.people.copy} />
          </div>
        </>
      )}
      <form className="stack" onSubmit={submit} noValidate>
        <Field
          label={t.people.domain}
          value={domain}
          placeholder="acme.example"
          onChange={event => setDomain(event.target.value)}
        />
        <Choice
          label={t.people.role}
          value={role}
          onChange={event => setRole(event.target.value as 'viewer' | 'developer')}
        >
          <option value="viewer">{t.people.roles.viewer}</option>
          <option value="developer">{t.people.roles.developer}</option>
        </Choice>
        {refused && <Failed error={refused} what={t.people.joinDomainCouldNotBeAdded} />}
        <div>
          <Button type="submit" busy={fetching}>
            {t.people.letDomainJoin}
          </Button>
        </div>
      </form>
    </section>
  )
}

/** Makes urql load the list again after each new domain. urql cannot find the type by itself if the list is empty. */
const joinDomainContext = { additionalTypenames: ['JoinDomain'] }
