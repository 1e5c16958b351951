import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { checkCaa } from '../../src/hosting/caa.ts'
import { openDnsCheck } from '../../src/hosting/check-dns.ts'
import { openDns } from '../../src/hosting/dns.ts'
import { askServer } from '../../src/hosting/dns-question.ts'
import type { World, WorldAnswer, WorldQuestion } from './dns-world.ts'
import { startOddServer } from './odd-name-server.ts'

type Input = { folder: string; world: World; questions: WorldQuestion[]; knotd: string; unbound: string }

/** Runs inside the network namespace: starts the name servers and prints our code's result for each question. */
const { folder, world, questions, knotd, unbound }: Input = JSON.parse(await text(process.stdin))
const resolver = { address: '127.0.0.1', port: 53 }

const addresses = [...world.knots.flatMap(knot => knot.addresses), ...Object.keys(world.odd)]
execFileSync('ip', ['link', 'set', 'lo', 'up'])
for (const address of addresses) execFileSync('ip', ['address', 'add', `${address}/32`, 'dev', 'lo'])
const servers = [...world.knots.map(startKnot), startUnbound()]
for (const [address, { how, lines }] of Object.entries(world.odd)) await startOddServer(address, how, lines)
for (const { addresses, zones } of world.knots) {
  const zone = Object.keys(zones).at(-1) ?? '.'
  for (const address of addresses) await untilAnswers({ address, port: 53 }, zone)
}
await untilAnswers(resolver, 'test')

const answers: WorldAnswer[] = Array(questions.length)
const waiting = [...questions.entries()]
await Promise.all(Array.from({ length: 6 }, answerNext))
process.stdout.write(JSON.stringify(answers))
for (const server of servers) server.kill('SIGKILL')
process.exit(0)

async function answerNext(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [index, question] = next
    const dns = openDns([resolver])
    const startedAt = performance.now()
    const answer =
      question.kind === 'name'
        ? { look: await openDnsCheck(dns, question.platformAddresses)(question.name, question.target) }
        : { caa: await checkCaa(dns, question.name, question) }
    answers[index] = { ...answer, ms: performance.now() - startedAt }
  }
}

function startKnot({ addresses, zones }: World['knots'][number], index: number) {
  const own = join(folder, `knot-${index}`)
  mkdirSync(own)
  const files = Object.entries(zones).map(([zone, lines], n) => {
    const origin = zone === '.' ? '.' : `${zone}.`
    const file = join(own, `${n}.zone`)
    const head = [
      `$ORIGIN ${origin}`,
      '$TTL 60',
      '@ SOA ns.provider.test. admin.provider.test. 1 60 60 60 60',
    ]
    writeFileSync(file, [...head, ...lines, ''].join('\n'))
    return `  - domain: ${origin}\n    file: ${file}\n`
  })
  const config = `server:
  rundir: ${own}
  listen: [${addresses.map(address => `${address}@53`).join(', ')}]
  udp-workers: 1
  tcp-workers: 1
  background-workers: 1
database:
  storage: ${own}
control:
  listen: ${join(own, 'control')}
zone:
${files.join('')}log:
  - target: stderr
    any: warning
`
  writeFileSync(join(own, 'knot.conf'), config)
  return start(knotd, ['-c', join(own, 'knot.conf')])
}

function startUnbound() {
  const hints = join(folder, 'hints')
  writeFileSync(
    hints,
    `. 60 NS a.root-servers.test.\na.root-servers.test. 60 A ${world.knots[0]?.addresses[0]}\n`,
  )
  const digest = '0'.repeat(64)
  const config = `server:
  interface: 127.0.0.1
  chroot: ""
  username: ""
  directory: "${folder}"
  pidfile: ""
  use-syslog: no
  root-hints: "${hints}"
  local-zone: "test." nodefault
  do-ip6: no
  num-threads: 1
${world.bogus.map(zone => `  trust-anchor: "${zone}. DS 12345 13 2 ${digest}"`).join('\n')}
remote-control:
  control-enable: no
`
  writeFileSync(join(folder, 'unbound.conf'), config)
  return start(unbound, ['-d', '-c', join(folder, 'unbound.conf')])
}

function start(program: string, args: string[]) {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  void once(child, 'exit').then(([code]) => {
    process.stderr.write(`${program} ended with ${code}: ${errors}\n`)
    process.exit(1)
  })
  return child
}

async function untilAnswers(server: { address: string; port: number }, name: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      const { code } = await askServer(server, { name, type: 'NS', recursive: server === resolver }, 500)
      if (code === 'NOERROR') return
    } catch {
      // The server does not listen yet.
    }
    await wait(50)
  }
  throw new Error(`${server.address} does not answer for ${name}`)
}
