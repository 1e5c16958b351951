import type { Response } from 'express'
import { describe, expect, test } from 'vitest'
import { errorCodes, invalidInput, StoreError } from '../../src/core/errors.ts'
import { addErrorHeaders, bodyTooLarge, errorBody, toStoreError } from '../../src/http/errors.ts'

const withStatus = (status: unknown) => Object.assign(new Error('of the framework'), { status })

describe('an error', () => {
  test('a StoreError is returned unchanged', () => {
    const error = new StoreError('pet_not_found', 'There is no pet 5.')

    expect(toStoreError(error)).toBe(error)
  })

  test.each([400, 404, 499])('an error of the framework with status %i becomes malformed_request', status => {
    const { code, message } = toStoreError(withStatus(status))

    expect([code, message]).toEqual(['malformed_request', 'The request is malformed.'])
  })

  test.each([
    [new Error('of ours')],
    [withStatus(399)],
    [withStatus(500)],
    [withStatus('404')],
    [{ status: 404 }],
    ['a text'],
    [null],
    [undefined],
  ])('any other error becomes internal_error, without details: %s', thrown => {
    const { code, message } = toStoreError(thrown)

    expect([code, message]).toEqual([
      'internal_error',
      'Something went wrong on our side. Name the X-Request-Id when you report it.',
    ])
  })

  test('a database that cannot be reached gives the error code unavailable, with a retry after one second', () => {
    const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })

    expect(toStoreError(away)).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 })
  })
})

test('the body of an error has its code, its status, and the invalid fields if there are any', () => {
  const faults = [
    { field: 'name', message: 'is missing' },
    { field: 'categoryId', message: 'is no number', line: 2 },
  ]

  expect(JSON.parse(errorBody(invalidInput(faults)))).toEqual({
    ...{ code: 'invalid_input', status: 400, details: faults },
    message: 'name is missing; categoryId is no number.',
  })
  expect(JSON.parse(errorBody(new StoreError('gone', 'It was.')))).toEqual({
    ...{ code: 'gone', status: 410, message: 'It was.' },
  })
})

test('the message of body_too_large gives a limit of 65,536 bytes as 64 KiB and a limit of 10,000,000 bytes as 10 MB', () => {
  expect(bodyTooLarge(64 * 1024).message).toBe('The body is larger than 64 KiB.')
  expect(bodyTooLarge(10_000_000).message).toBe('The body is larger than 10 MB.')
})

test.each(errorCodes)(
  'the error %s has Cache-Control: no-store, and only unauthorized has WWW-Authenticate',
  code => {
    const headersOf = (more = {}) => {
      const response = { locals: { headers: [] } } as unknown as Response
      addErrorHeaders(response, new StoreError(code, 'No.', more))
      return response.locals.headers
    }
    const challenge = code === 'unauthorized' ? ['WWW-Authenticate', 'Bearer'] : []

    expect(headersOf()).toEqual(['Cache-Control', 'no-store', ...challenge])
    expect(headersOf({ retryAfterSeconds: 0 })).toEqual([
      ...['Cache-Control', 'no-store', 'Retry-After', '0'],
      ...challenge,
    ])
  },
)
