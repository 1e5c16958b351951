import { readConfig } from '../config.ts'
import { serveZoneFile } from './zone-file.ts'

/** Starts only the practice name server, for a service that runs without --practice. */
const [file = 'practice.zone', port = '5300'] = process.argv.slice(2)
const server = await serveZoneFile(file, Number(port), readConfig(process.env).platformHost)
console.log(`Answers at ${server.at} what ${file} says. Set DNS_SERVERS=${server.at}`)
