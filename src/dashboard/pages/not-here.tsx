import { useRouter } from '../app/router.tsx'
import { t } from '../texts/index.ts'
import { Button } from '../ui/button.tsx'
import { PageHead } from '../ui/page.tsx'

export function NotHere() {
  const { go } = useRouter()
  return (
    <>
      <PageHead title={t.shell.nothingHere}>{t.shell.pageNotFoundOrYou}</PageHead>
      <Button kind="primary" onClick={() => go({ page: 'overview', project: null })}>
        {t.shell.goToOverview}
      </Button>
    </>
  )
}

export function NoProject({ slug }: { slug: string }) {
  const { go } = useRouter()
  return (
    <>
      <PageHead title={t.shell.noSuchProject}>
        {t.shell.thereIsNoProjectSlug(<span className="mono">{slug}</span>)}
      </PageHead>
      <Button kind="primary" onClick={() => go({ page: 'overview', project: null })}>
        {t.shell.toAllProjects}
      </Button>
    </>
  )
}
