export const activityOfThatDay = 'Activity of that day'
export const answers = 'Answers'
export const byApi = 'By API'
export const byKey = 'By key'
export const door = 'API'
export const median = 'Median (p50)'
export const milliseconds = (count: string) => `${count} ms`
export const noAnswers = 'No answers were timed in this time.'
export const otherKeysOrNotCounted = 'Other keys, and requests that are not counted by key'
export const partsCouldNotBeLoaded = 'The usage by API and key could not be loaded'
export const responseTimes = 'Response times'
export const seconds = (count: string) => `${count} s`
export const slowest = 'p99'
export const timesAreRounded =
  'Half of the answers took at most the median, 99 of 100 at most p99. Both are accurate to 10 %. Refused requests are not timed.'
