import { StoreError } from '../errors.ts'

export const expired = () =>
  new StoreError(
    'event_expired',
    'This event is no longer kept, or the log has been restored since. Read your pets, orders and categories again, and then the events without `after`.',
  )
