export const serviceGaveAnswerThatThis = 'The service gave an answer that this page cannot read.'
export const serviceCannotBeReachedRight = 'The service cannot be reached right now.'
export const storeCannotBeReachedCheck = 'The store cannot be reached. Check your network and try again.'
export const tooManyRequestsOrStore =
  'Too many requests, or the store is not available. Try again in a moment.'
