/** Version of the service and of this package. */
export const version = '1.0.0'
