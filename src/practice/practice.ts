import { readConfig } from '../config.ts'
import { serveZoneFile } from './zone-file.ts'

type Environment = Record<string, string | undefined>

/** The file with the DNS records, in the current directory. */
export const zoneFile = 'practice.zone'

/**
 * Returns the environment of a service in practice mode: it queries a name server that answers from a file, and also
 * accepts names below `localhost`, which browsers resolve to this machine.
 */
export async function practise(env: Environment): Promise<Environment> {
  const { platformHost, hosting } = readConfig(env)
  const server = await serveZoneFile(zoneFile, 0, platformHost)
  return { ...env, DNS_SERVERS: server.at, DOMAIN_SUFFIXES: [...hosting.suffixes, 'localhost'].join() }
}
