import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { redisAway } from './away.ts'
import type { Fault } from './fault.ts'
import { clustered, type Ground, plain, watched } from './ground.ts'

const forMs = 4_000
const refusesWrites = { ...redisAway, says: /each process counts alone/ }

/**
 * Faults in which Redis is unavailable, refuses commands or loses data. They may make limits inexact, but no request
 * may fail.
 */
export const redisFaults: Fault[] = [
  {
    name: 'redis-stopped',
    what: 'Redis is stopped, and is back after 4 s without its counts',
    ground: plain,
    promises: redisAway,
    async happen({ limits }) {
      const [node] = limits.nodes
      if (!node) return
      // SHUTDOWN sends no answer.
      await limits.run(node, 'SHUTDOWN', 'NOSAVE').catch(() => {})
      await pause(forMs)
      await node.restart()
    },
  },
  {
    name: 'redis-killed',
    what: 'Redis is killed (kill -9), and is back after 4 s without its counts',
    ground: plain,
    short: true,
    promises: redisAway,
    async happen({ limits: { nodes } }) {
      await nodes[0]?.kill9()
      await pause(forMs)
      await nodes[0]?.restart()
    },
  },
  {
    name: 'redis-hangs',
    what: 'Redis hangs (SIGSTOP) for 4 s',
    ground: plain,
    promises: redisAway,
    async happen({ limits: { nodes } }) {
      nodes[0]?.pause()
      await pause(forMs)
      nodes[0]?.resume()
    },
  },
  {
    name: 'redis-out-of-memory',
    what: 'Redis refuses writes, out of memory (OOM), for 4 s',
    ground: plain,
    promises: refusesWrites,
    happen: ground => configured(ground, ['maxmemory', '1'], ['maxmemory', '0']),
  },
  {
    name: 'redis-read-only',
    what: 'Redis is a replica for 4 s (READONLY)',
    ground: plain,
    promises: refusesWrites,
    async happen({ limits }) {
      const [node] = limits.nodes
      if (!node) return
      await limits.run(node, 'REPLICAOF', '127.0.0.1', '1')
      await pause(forMs)
      await limits.run(node, 'REPLICAOF', 'NO', 'ONE')
    },
  },
  {
    name: 'redis-cannot-save',
    what: 'Redis cannot save and refuses writes (MISCONF) for 4 s',
    ground: plain,
    promises: refusesWrites,
    happen: failToSave,
  },
  {
    name: 'redis-flushed',
    what: 'Somebody empties Redis (FLUSHALL): counts begin again at zero, and no stale page is shown',
    ground: plain,
    promises: {},
    happen: ({ limits }) => everyNode(limits, 'FLUSHALL'),
  },
  {
    name: 'redis-scripts-flushed',
    what: 'Somebody empties the scripts of Redis (SCRIPT FLUSH)',
    ground: plain,
    promises: { limits: 'exact' },
    happen: ({ limits }) => everyNode(limits, 'SCRIPT', 'FLUSH'),
  },
  {
    name: 'cluster-takeover',
    what: 'In a Cluster of six, every replica replaces its master (`CLUSTER FAILOVER TAKEOVER`) while all connections stay open',
    ground: clustered,
    // The limits may be inexact, because a takeover loses the counts that had not reached the replica.
    promises: { limits: 'alone', about: /Redis/, mostLines: 4 },
    async happen({ limits }) {
      for (const node of limits.nodes.slice(3)) {
        await limits.run(node, 'CLUSTER', 'FAILOVER', 'TAKEOVER')
        await pause(1_000)
      }
      const roles = await Promise.all(limits.nodes.map(node => limits.run(node, 'ROLE')))
      const masters = roles.slice(3).filter(role => String(role).startsWith('master')).length
      return [{ holds: masters === 3, seen: `${masters} of 3 replicas are masters` }]
    },
  },
  {
    name: 'cluster-node-killed',
    what: 'In a Cluster of six, the master that counts this project is killed (kill -9), and its replica replaces it',
    ground: clustered,
    spoils: true,
    promises: { ...redisAway, limits: null, wellWithinMs: 8_000 },
    happen: killMasterOfLoad,
  },
  {
    name: 'sentinel-failover',
    what: 'The master that Sentinels watch is killed (kill -9), and the Sentinels promote its replica',
    ground: watched,
    spoils: true,
    promises: { ...redisAway, wellWithinMs: 8_000 },
    async happen({ limits }) {
      await limits.nodes[0]?.kill9()
    },
  },
]

async function configured({ limits }: Ground, on: string[], off: string[]): Promise<void> {
  const [node] = limits.nodes
  if (!node) return
  await limits.run(node, 'CONFIG', 'SET', ...on)
  await pause(forMs)
  await limits.run(node, 'CONFIG', 'SET', ...off)
}

/** A folder in place of the dump file makes saving fail. */
async function failToSave({ limits }: Ground): Promise<void> {
  const [node] = limits.nodes
  if (!node) return
  const inTheWay = join(node.folder, 'dump.rdb')
  rmSync(inTheWay, { force: true, recursive: true })
  mkdirSync(inTheWay)
  await limits.run(node, 'CONFIG', 'SET', 'save', '3600 1')
  await limits.run(node, 'BGSAVE')
  await pause(forMs)
  rmSync(inTheWay, { recursive: true })
  await limits.run(node, 'CONFIG', 'SET', 'save', '')
  await limits.run(node, 'BGSAVE')
}

async function everyNode(limits: Ground['limits'], ...command: string[]): Promise<void> {
  for (const node of limits.nodes) await limits.run(node, ...command)
  // Redis has run `command` already. The test checks the limits at the same time, so wait about as long as the test
  // needs to check the limits.
  await pause(1_500)
}

async function killMasterOfLoad({ limits, sql }: Ground, load: { project: { slug: string } }): Promise<void> {
  const [row] = await sql(`SELECT id FROM projects WHERE slug = '${load.project.slug}'`)
  const [node] = limits.nodes
  if (!node) return
  const redis = new Redis(node.url)
  const slot = await redis.cluster('KEYSLOT', `{${row?.id}}`)
  const slots = await redis.cluster('SLOTS')
  redis.disconnect()
  const master = slots.find(([first, last]) => slot >= first && slot <= last)?.[2]?.[1]
  await limits.nodes.find(({ port }) => port === master)?.kill9()
  await pause(3_000)
}
