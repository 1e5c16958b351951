export const byDay = { head: 'Day', label: 'Requests by day' }
export const byDoor = { head: 'API', label: 'Requests by API' }
export const byHour = { head: 'Hour', label: 'Requests by hour' }
export const byKey = { head: 'Key', label: 'Requests by key' }
/** @public */
export const counted = {
  served: (count: string) => `${count} served`,
  faulty: (count: string) => `${count} faulty`,
  failed: (count: string) => `${count} failed`,
  refused: (count: string) => `${count} refused`,
}
export const last24Hours = {
  label: '24 hours',
  title: 'Last 24 hours',
  requests: 'Requests of the last 24 hours, as in the table below',
  requestsOf: (name: string) => `Requests of ${name} in the last 24 hours`,
  before: 'the 24 hours before',
}
export const last7Days = {
  label: '7 days',
  title: 'Last 7 days',
  requests: 'Requests of the last 7 days, as in the table below',
  requestsOf: (name: string) => `Requests of ${name} in the last 7 days`,
  before: 'the 7 days before',
}
export const last30Days = {
  label: '30 days',
  title: 'Last 30 days',
  requests: 'Requests of the last 30 days, as in the table below',
  requestsOf: (name: string) => `Requests of ${name} in the last 30 days`,
  before: 'the 30 days before',
}
export const last90Days = {
  label: '90 days',
  title: 'Last 90 days',
  requests: 'Requests of the last 90 days, as in the table below',
  requestsOf: (name: string) => `Requests of ${name} in the last 90 days`,
  before: 'the 90 days before',
}
/** @public */
export const outcomes = { served: 'served', faulty: 'faulty', failed: 'failed', refused: 'refused' }
export const readChart = (label: string) => `Read ${label.charAt(0).toLowerCase()}${label.slice(1)}`
export const stepAndCounts = (step: string, counts: string) => `${step}: ${counts}`
export const showAsTable = 'Show as table'
export const clientErrors4xxWereCaused = 'Client errors (4xx) were caused by the request.'
export const failedOnesMetErrorOf = 'Failed requests met an error of the store itself (5xx).'
export const refusedOnesCameWhenLimit = 'Refused requests came after the limit was used up.'
export const now = 'now'
export const noRequests = 'no requests'
export const filteredTo = (step: string) => `Only ${step}`
export const inPeriodBefore = (count: string, period: string) => `${count} in ${period}`
export const showPeriod = (period: string) => `Show the ${period.charAt(0).toLowerCase()}${period.slice(1)}`
export const stepBefore = (said: string, count: string, step: string) => `${said}; ${count} on ${step}`
export const changed = {
  more: (share: string, period: string) => `${share} more requests than in ${period}`,
  fewer: (share: string, period: string) => `${share} fewer requests than in ${period}`,
  same: (period: string) => `as many requests as in ${period}`,
}
export const withoutThisDay = (change: string) => `Without today: ${change}.`
export const withoutThisHour = (change: string) => `Without this hour: ${change}.`
export const filterHint = 'Choose a bar, or press Enter on it, to see only its requests below.'
