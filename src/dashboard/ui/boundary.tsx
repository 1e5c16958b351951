import { Component, type ReactNode, useEffect, useState } from 'react'
import { MissingCode, reloadByItself, reloadOnceAnswered } from '../app/missing-code.ts'
import { t } from '../texts/index.ts'
import { Button } from './button.tsx'
import { RefreshIcon } from './icons.tsx'
import { Notice } from './notice.tsx'
import { PageHead } from './page.tsx'

type State = { fault: unknown; failed: boolean }

/** Shows a message and a link if a component inside it throws. */
export class Boundary extends Component<{ children: ReactNode }, State> {
  override state: State = { fault: null, failed: false }

  static getDerivedStateFromError(fault: unknown): State {
    return { fault, failed: true }
  }

  override render() {
    const { fault, failed } = this.state
    if (!failed) return this.props.children
    return fault instanceof MissingCode ? (
      <Missing />
    ) : (
      <Broken retry={() => this.setState({ fault: null, failed: false })} />
    )
  }
}

function Missing() {
  const [tried, setTried] = useState<'no' | 'busy' | 'yes'>('no')
  useEffect(() => {
    reloadByItself()
    addEventListener('online', reloadByItself)
    return () => removeEventListener('online', reloadByItself)
  }, [])
  const retry = async () => {
    setTried('busy')
    await reloadOnceAnswered()
    setTried('yes')
  }
  return (
    <>
      <PageHead title={t.ui.thisPageCouldNotBe} />
      <Notice tone="wait" alert>
        <p>{tried === 'yes' ? t.ui.serviceStillDoesNotAnswer : t.ui.serverIsntRespondingOrNew}</p>
        <Again retry={retry} busy={tried === 'busy'} />
      </Notice>
    </>
  )
}

function Broken({ retry }: { retry(): void }) {
  return (
    <>
      <PageHead title={t.ui.somethingWentWrongOnThis} />
      <Notice tone="bad" alert>
        <p>{t.ui.errorIsInThisPage}</p>
        <Again retry={retry} />
      </Notice>
    </>
  )
}

function Again({ retry, busy = false }: { retry(): void; busy?: boolean }) {
  return (
    <div>
      <Button onClick={retry} busy={busy}>
        <RefreshIcon /> {t.ui.tryAgain}
      </Button>
    </div>
  )
}
