import type { RequestListener } from 'node:http'
import type { Express, Response } from 'express'
import { IncomingMessage, ServerResponse } from './node-http.ts'

/** A header of ours. Setting some twenty one by one costs node more than writing them, so they wait in a list. */
export function gatherHeader(response: ServerResponse, name: string, value: string): void {
  const gathering = response as Gathering
  gathering.gathered ??= []
  const at = gathering.gathered.indexOf(name)
  if (at < 0) gathering.gathered.push(name, value)
  else gathering.gathered[at + 1] = value
}

/** Several that always come together: names and values in turn. */
export function gatherHeaders(response: ServerResponse, headers: readonly string[]): void {
  const gathering = response as Gathering
  gathering.gathered ??= []
  const isAgain = gathering.gathered.includes(headers[0] ?? '')
  if (!isAgain) gathering.gathered.push(...headers)
  for (let i = 0; isAgain && i < headers.length; i += 2) {
    gatherHeader(response, headers[i] ?? '', headers[i + 1] ?? '')
  }
}

type Gathering = ServerResponse & { gathered?: string[] | undefined }

/**
 * What node makes of a connection's bytes, with Express's ways already in it: Express would otherwise exchange the
 * prototypes of both for every request.
 */
export type Classes = { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse }

/** The app as a server takes it. */
export type App = RequestListener & { classes: Classes; warmUp(): Promise<unknown> }

export function makeClasses(app: Express): Classes {
  class StoreRequest extends IncomingMessage {}
  Object.setPrototypeOf(StoreRequest.prototype, app.request)

  class StoreResponse extends ServerResponse {
    gathered: string[] | undefined

    /** Every answer passes here, whoever gives it; what was set on purpose wins over what was gathered. */
    override writeHead(status: number, ...rest: unknown[]): this {
      const { gathered } = this
      this.gathered = undefined
      if (gathered && rest.length === 0 && this.getHeaderNames().length === 0) {
        return super.writeHead(status, gathered)
      }
      for (let i = 0; gathered && i < gathered.length; i += 2) {
        const [name = '', value = ''] = gathered.slice(i, i + 2)
        if (!this.hasHeader(name)) this.setHeader(name, value)
      }
      return super.writeHead(status, ...(rest as []))
    }

    override removeHeader(name: string): void {
      super.removeHeader(name)
      const at = this.gathered?.findIndex(
        (text, i) => i % 2 === 0 && text.toLowerCase() === name.toLowerCase(),
      )
      if (at !== undefined && at >= 0) this.gathered?.splice(at, 2)
    }
  }
  Object.setPrototypeOf(StoreResponse.prototype, app.response)

  app.request = StoreRequest.prototype as unknown as Express['request']
  app.response = StoreResponse.prototype as unknown as Response
  return { IncomingMessage: StoreRequest, ServerResponse: StoreResponse as typeof ServerResponse }
}
