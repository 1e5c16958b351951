import { existsSync, readFileSync, statSync } from 'node:fs'
import { startNameServer } from './dns-server.ts'

/** A name server for trying custom domains without buying one: it answers what the lines of a file say. */
const [file = 'practice.zone', port = '5300'] = process.argv.slice(2)
const server = await startNameServer(readLines(), Number(port))
let changedAt = changeOf()
setInterval(() => {
  if (changeOf() === changedAt) return
  changedAt = changeOf()
  server.setZone(readLines())
}, 200)
console.log(`Answers at ${server.at} what ${file} says. Set DNS_SERVERS=${server.at}`)

function readLines(): string[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '' && !line.startsWith('#'))
}

function changeOf(): number {
  return existsSync(file) ? statSync(file).mtimeMs : 0
}
