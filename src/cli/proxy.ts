import { exitCodes, Refused } from './exit.ts'
import type { Environment } from './profiles.ts'

const thisMachine = 'localhost,127.0.0.1,[::1]'

/**
 * Sends requests through the proxy of HTTPS_PROXY or HTTP_PROXY, as other tools do, but requests to this machine directly.
 * Node.js can do this only since version 25.4.
 */
export async function useProxy(env: Environment): Promise<void> {
  const proxies = [env.HTTPS_PROXY, env.https_proxy, env.HTTP_PROXY, env.http_proxy]
  const direct = env.no_proxy || env.NO_PROXY
  // Node.js understands `*`, which means no proxy at all, only if it stands alone.
  if (!proxies.some(Boolean) || direct === '*') return
  // Load this module only if it is needed, because loading it takes longer than the start of Node.js.
  const { setGlobalProxyFromEnv } = await import('node:http')
  try {
    setGlobalProxyFromEnv?.({ ...env, no_proxy: direct ? `${direct},${thisMachine}` : thisMachine })
  } catch {
    // The address of a proxy may contain a password, so do not show it.
    throw new Refused(
      'HTTPS_PROXY and HTTP_PROXY must be addresses, such as http://proxy.example:3128.',
      exitCodes.wrongInput,
    )
  }
}
