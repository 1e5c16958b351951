import { useRouter } from '../app/router.tsx'
import { Button } from '../ui/button.tsx'
import { PageHead } from '../ui/page.tsx'

export function NotHere() {
  const { go } = useRouter()
  return (
    <>
      <PageHead title="Nothing here">Page not found, or your key doesn’t have access to it.</PageHead>
      <Button kind="primary" onClick={() => go({ page: 'overview', project: null })}>
        Go to overview
      </Button>
    </>
  )
}

export function NoProject({ slug }: { slug: string }) {
  const { go } = useRouter()
  return (
    <>
      <PageHead title="No such project">
        There is no project <span className="mono">{slug}</span>.
      </PageHead>
      <Button kind="primary" onClick={() => go({ page: 'overview', project: null })}>
        To all projects
      </Button>
    </>
  )
}
