import { type FormEvent, useState } from 'react'
import { useLiveQuery } from '../../app/live.ts'
import { useMutation } from '../../app/operations.ts'
import { faultsOf } from '../../app/problem.ts'
import { ProfileDocument, RenameViewerDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { Passkeys } from './passkeys.tsx'
import { Sessions } from './sessions.tsx'
import { Terminals } from './terminals.tsx'
import { YourData } from './your-data.tsx'

/** The page of the signed-in person: name, passkeys, sessions and terminals. */
export default function Profile() {
  const [{ data, error }, ask] = useLiveQuery({ query: ProfileDocument, variables: {} })
  const again = () => ask({ requestPolicy: 'network-only' })
  return (
    <>
      <PageHead title={t.people.yourProfile} />
      {error && !data ? (
        <Failed error={error} what={t.people.yourProfileCouldNotBe} retry={again} />
      ) : !data ? (
        <Loading />
      ) : (
        <div className="stack loose">
          <Name id={data.viewer.id} name={data.viewer.name} />
          <Passkeys passkeys={data.viewer.passkeys} again={again} />
          <Sessions sessions={data.viewer.sessions} again={again} />
          <Terminals />
          <YourData id={data.viewer.id} />
        </div>
      )}
    </>
  )
}

function Name({ id, name: stored }: { id: string; name: string }) {
  const [name, setName] = useState(stored)
  const [{ fetching, error }, rename] = useMutation(RenameViewerDocument)
  const announce = useAnnounce()
  const { beside, elsewhere } = faultsOf(error, { name: t.people.enterNameOfAtMost })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (fetching) return
    const { data } = await rename({ input: { name } })
    if (data) announce(t.people.savedYourName)
  }
  return (
    <form className="card stack" onSubmit={submit} noValidate>
      <Field
        label={t.people.yourName}
        value={name}
        autoComplete="name"
        onChange={event => setName(event.target.value)}
        hint={t.people.membersOfYourProjectsSee}
        error={beside.name}
      />
      <p className="soft small">{t.people.yourId(<span className="mono break">{id}</span>)}</p>
      {elsewhere && <Failed error={elsewhere} what={t.people.nameCouldNotBeSaved} />}
      <div>
        <Button type="submit" busy={fetching}>
          {t.people.save}
        </Button>
      </div>
    </form>
  )
}
