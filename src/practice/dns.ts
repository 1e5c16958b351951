import { readConfig } from '../config.ts'
import { readSettings } from '../tools/settings.ts'
import { serveZoneFile } from './zone-file.ts'

/** Starts only the practice name server, for a service that runs without --practice. */
const [file = 'practice.zone', port = '5300'] = process.argv.slice(2)
const server = await serveZoneFile(file, Number(port), readConfig(readSettings()).platformHost)
console.log(`Answers DNS queries at ${server.at} with the records of ${file}. Set DNS_SERVERS=${server.at}`)
