import { readConfig } from '../config.ts'
import { serveZoneFile } from './zone-file.ts'

type Environment = Record<string, string | undefined>

/** The file with the DNS records, in the folder where the service was started. */
export const zoneFile = 'practice.zone'

/**
 * The environment of a service for practice: it asks a name server that answers what the lines of a file say, and admits
 * names below `localhost`, which every browser leads to this machine.
 */
export async function practise(env: Environment): Promise<Environment> {
  const server = await serveZoneFile(zoneFile, 0, readConfig(env).platformHost)
  return { ...env, DNS_SERVERS: server.at, DOMAIN_SUFFIXES: env.DOMAIN_SUFFIXES || 'localhost' }
}
