// Each attack runs in its own thread, so that attacking does not delay the measurement.
import { parentPort, workerData } from 'node:worker_threads'
import { attacks } from './attacks.ts'
import { openHand } from './hand.ts'
import type { Place } from './place.ts'

const { name, place } = workerData as { name: string; place: Place }
const end = new AbortController()
const hand = openHand(place, end.signal)
const attack = attacks.find(each => each.name === name)
const signalled = () => new Promise(resolve => parentPort?.once('message', resolve))
parentPort?.postMessage('ready')
await signalled()
signalled().then(() => {
  end.abort()
  hand.close()
  parentPort?.postMessage(hand.counts)
  process.exit(0)
})
// After an attack has ended, its closed connections cause errors: ignore them.
process.on('unhandledRejection', error => {
  if (hand.goesOn()) throw error
})
await attack?.run(hand)
