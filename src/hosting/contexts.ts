import { createSecureContext, type SecureContext } from 'node:tls'
import type { ServedHost } from '../core/served-hosts.ts'
import type { Logger } from '../tools/log.ts'
import type { Hosts } from './hosts.ts'
import type { Seal } from './sealing.ts'

/** TLS 1.3 and, of 1.2, only suites that encrypt and authenticate in one step. */
export const tlsRules = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
} as const

export type Contexts = { find(name: string): SecureContext | undefined }

/** Opens each host's key once, at its first handshake, and again when its certificate has changed. */
export function openContexts(hosts: Hosts, seal: Seal, log: Logger): Contexts {
  const contexts = new Map<string, { chain: string; context: SecureContext }>()
  hosts.onChange(current => {
    for (const name of contexts.keys()) if (!current.has(name)) contexts.delete(name)
  })

  function make({ name, certificate }: ServedHost): SecureContext | undefined {
    if (!certificate) return undefined
    const { chain, sealedKey } = certificate
    const known = contexts.get(name)
    if (known?.chain === chain) return known.context
    try {
      const key = seal.open(sealedKey, `certificate:${name}`)
      const context = createSecureContext({ ...tlsRules, cert: chain, key })
      contexts.set(name, { chain, context })
      return context
    } catch (error) {
      log.error({ error, name }, 'a certificate cannot be used')
      return undefined
    }
  }

  return {
    find(name) {
      const host = hosts.find(name)
      return host && make(host)
    },
  }
}
