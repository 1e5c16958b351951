import { type ComponentType, useEffect, useState } from 'react'

/**
 * A component whose code is loaded when the component is shown. `load` loads the code earlier, and resolves when the
 * code is loaded or `timeoutMs` is over.
 */
export type OnDemand<Props extends object = object> = ComponentType<Props> & { load(): Promise<void> }

type Code<Props> = { default: ComponentType<Props> }

/** During this time the present page stays visible. After it, a placeholder is shown until the code is loaded. */
const timeoutMs = 200

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
  const timeout = () => new Promise<void>(resolve => setTimeout(resolve, timeoutMs))
  return Object.assign(Shown, { load: () => Promise.race([loadCode(), timeout()]) })
}
