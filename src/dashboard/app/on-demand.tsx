import { type ComponentType, useEffect, useState } from 'react'

/** A component whose code is loaded when it is shown, or before by `load`, which waits for the code, but not for long. */
export type OnDemand<Props extends object = object> = ComponentType<Props> & { load(): Promise<void> }

type Code<Props> = { default: ComponentType<Props> }

/** How long `load` waits. During this time, the page before stays visible. */
const patienceMs = 200

/**
 * Makes a component that shows `Placeholder` while its code is loaded. Uses no `lazy`, because React shows each
 * placeholder of a lazy component for at least 300 ms. `load` must not reject.
 */
export function onDemand<Props extends object>(
  load: () => Promise<Code<Props>>,
  Placeholder: ComponentType,
): OnDemand<Props> {
  let loaded: ComponentType<Props> | null = null
  const loadCode = async () => {
    loaded = (await load()).default
  }
  function Shown(props: Props) {
    const [Component, setComponent] = useState(() => loaded)
    useEffect(() => {
      if (!Component) void loadCode().then(() => setComponent(() => loaded))
    }, [])
    return Component ? <Component {...props} /> : <Placeholder />
  }
  const patience = () => new Promise<void>(resolve => setTimeout(resolve, patienceMs))
  return Object.assign(Shown, { load: () => Promise.race([loadCode(), patience()]) })
}
