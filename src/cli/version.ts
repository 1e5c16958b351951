/** Of the service that this command was made with, and of the package. */
export const version = '1.0.0'
