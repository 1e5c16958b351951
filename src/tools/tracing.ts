import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  context,
  isSpanContextValid,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

const tracer = trace.getTracer('animal-store')

/** True if an OpenTelemetry SDK was loaded before the service. Without one, tracing does nothing. */
const isTraced = isSpanContextValid(tracer.startSpan('is anybody there', { root: true }).spanContext())

export type SpanIds = { traceId: string; spanId: string }
export type RequestSpan = {
  ids: SpanIds
  end(route: string, status: number, project: string | undefined): void
}

/** Runs a request in a span, below the client's span if it sent one. Null without an SDK. */
export function traceRequest(
  method: string,
  headers: Record<string, unknown>,
  run: (span: RequestSpan | null) => void,
): void {
  if (!isTraced) {
    run(null)
    return
  }
  // Another instrumentation may have started a span already.
  const around = context.active()
  const parent = trace.getSpan(around) ? around : propagation.extract(around, headers)
  const span = tracer.startSpan(
    method,
    { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
    parent,
  )
  const { traceId, spanId } = span.spanContext()
  const end: RequestSpan['end'] = (route, status, project) => {
    span.updateName(`${method} ${route}`)
    span.setAttributes({ 'http.route': route, 'http.response.status_code': status })
    if (project !== undefined) span.setAttribute('animal_store.project', project)
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }
  context.with(trace.setSpan(parent, span), () => run({ ids: { traceId, spanId }, end }))
}

/** Runs a part of a request in a span. `describeSpan` adds attributes. */
export function inSpan<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  if (!isTraced) return run()
  return tracer.startActiveSpan(name, span => endWith(span, run()))
}

export function describeSpan(name: string, attributes: Attributes): void {
  if (isTraced) trace.getActiveSpan()?.updateName(name).setAttributes(attributes)
}

/** The spans of the requests that share the current statement. */
const sharing = new AsyncLocalStorage<Span[]>()

/**
 * Traces a statement. A statement that several requests share has no parent, and links to each request. A background
 * statement has no span.
 */
export function traceStatement<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  if (!isTraced) return run()
  const shared = sharing.getStore() ?? []
  const alone = shared.length === 0 ? trace.getActiveSpan() : shared[0]
  if (!alone) return run()
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': name }
  const isShared = shared.length > 1
  const links = isShared ? shared.map(span => ({ context: span.spanContext() })) : []
  const options = { kind: SpanKind.CLIENT, attributes, links, root: isShared }
  const span = tracer.startSpan(name, options, trace.setSpan(context.active(), alone))
  return endWith(span, run())
}

/** Returns the current request's span. Pass it to `shareStatement` when the batch runs. */
export const askingSpan = (): Span | undefined => (isTraced ? trace.getActiveSpan() : undefined)

export function shareStatement<Result>(
  asking: readonly (Span | undefined)[],
  run: () => Promise<Result>,
): Promise<Result> {
  if (!isTraced) return run()
  const spans = new Set(asking.filter(span => span !== undefined))
  // The batch runs in the context of its first request, but belongs to several requests. So remove the span of the
  // first request, and pass the spans of all requests.
  return context.with(trace.deleteSpan(context.active()), () => sharing.run([...spans], run))
}

async function endWith<Result>(span: Span, done: Promise<Result>): Promise<Result> {
  try {
    return await done
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : '' })
    throw error
  } finally {
    span.end()
  }
}
