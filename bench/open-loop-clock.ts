// A thread that posts the number of each request when it is due. A timer of node would be up to two milliseconds late.
import { parentPort } from 'node:worker_threads'

const neverNotified = new Int32Array(new SharedArrayBuffer(4))
const now = () => Number(process.hrtime.bigint()) / 1e6

parentPort?.once('message', ({ start, interval, count }) => {
  for (let index = 0; index < count; index++) {
    const wait = start + index * interval - now()
    if (wait > 0) Atomics.wait(neverNotified, 0, 0, wait)
    parentPort?.postMessage(index)
  }
})
