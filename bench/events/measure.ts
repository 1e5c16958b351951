import { type DeliveriesFound, measureDeliveries } from './deliveries.ts'
import { layEventsGround } from './ground.ts'
import { measureStreams, type StreamsFound } from './streams.ts'

export type EventsFound = StreamsFound & DeliveriesFound

/** Measures open streams and webhook deliveries of one process. */
export async function measureEvents(): Promise<EventsFound> {
  const ground = await layEventsGround()
  try {
    const found = { ...(await measureStreams(ground)), ...(await measureDeliveries(ground)) }
    console.log('Events: measured.', JSON.stringify(found))
    return found
  } finally {
    await ground.stop()
  }
}
