/** OpenTelemetry traces of requests and shares, off unless OTEL_EXPORTER_OTLP_ENDPOINT is set. */
import {
  context,
  diag,
  DiagLogLevel,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Attributes, Span, SpanContext, SpanOptions } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from '../log';

/** A collector that does not answer delays the end of the process by this time at most. */
const STOP_MS = 2000;
/** Shares that one counting names. */
const MAX_LINKS = 50;

const tracer = trace.getTracer('pool');
let on = false;

export const isTracing = (): boolean => on;

/** Says each reason for which a collector takes nothing once. Returns what says one. */
function logRefusals(log: Logger): (text: string) => void {
  const said = new Set<string>();
  const say = (text: string): void => {
    const reason = /"message":"([^"]*)/.exec(text)?.[1] ?? text;
    if (!said.has(reason)) log.warn({ reason }, 'traces are not taken by OTEL_EXPORTER_OTLP_ENDPOINT');
    said.add(reason);
  };
  const ignore = (): void => undefined;
  diag.setLogger({ error: say, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.ERROR);
  return say;
}

/** `ratio`: part of the traces that are sent, 0 to 1. Returns the function that sends the rest at the end. */
export async function startTraces(ratio: number, build: string, log: Logger): Promise<() => Promise<void>> {
  const { BatchSpanProcessor, NodeTracerProvider, TraceIdRatioBasedSampler } =
    await import('@opentelemetry/sdk-trace-node');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } =
    await import('@opentelemetry/resources');
  const refused = logRefusals(log);
  const provider = new NodeTracerProvider({
    // By the trace alone: a caller cannot have more of its requests traced by asking for it.
    sampler: new TraceIdRatioBasedSampler(ratio),
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'mining-pool', 'service.version': build }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  on = true;
  return async () => {
    const sent = provider.shutdown().catch((error: Error) => refused(error.message));
    await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
  };
}

function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) });
}

export function traced<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The W3C `traceparent` of the running span, if it is sent. */
export function traceparent(): string | undefined {
  if (!trace.getActiveSpan()?.isRecording()) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** Spans of shares that wait to be counted. */
export class SharesToCount {
  private contexts: SpanContext[] = [];

  add(span: Span): void {
    if (span.isRecording() && this.contexts.length < MAX_LINKS) this.contexts.push(span.spanContext());
  }

  /** Counts in the trace of the first share, linked with the others. */
  counted(attributes: Attributes, work: () => Promise<void>): Promise<void> {
    const [first, ...others] = this.contexts;
    this.contexts = [];
    const run = (): Promise<void> =>
      traced('count shares', { attributes, links: others.map((other) => ({ context: other })) }, work);
    return first ? context.with(trace.setSpanContext(context.active(), first), run) : run();
  }
}

/** Files, and streams that stay open, are no requests to trace. */
const NOT_TRACED = /^\/(assets|remotes|locales|vendor|health|ready|metrics|api\/events)\b/;

export function traceRequests(app: Pick<FastifyInstance, 'addHook'>): void {
  if (!on) return;
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, _, done) => {
    if (NOT_TRACED.test(request.url)) return done();
    const { method, routeOptions } = request;
    const route = routeOptions.url ?? 'none';
    const from = propagation.extract(ROOT_CONTEXT, request.headers);
    const span = tracer.startSpan(
      `${method} ${route}`,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': method, 'http.route': route } },
      from,
    );
    spans.set(request, span);
    context.with(trace.setSpan(from, span), done);
  });
  app.addHook('onError', async (request, _, error) => {
    const span = spans.get(request);
    if (span && (error.statusCode ?? 500) >= 500) fail(span, error);
  });
  app.addHook('onResponse', async (request, reply) => {
    spans.get(request)?.setAttribute('http.response.status_code', reply.statusCode).end();
  });
}

/** A statement's text has no values. */
const MAX_TEXT = 500;

/** The span of a statement inside of another span, which ends by the call of what is returned. */
export function traceStatement(first: unknown): ((error: unknown) => void) | undefined {
  if (!trace.getActiveSpan()?.isRecording()) return undefined;
  const { name, text = first } = (first ?? {}) as { name?: string; text?: unknown };
  const sql = String(text).trim();
  const span = tracer.startSpan(name ?? sql.split(/\s/, 1)[0] ?? 'statement', {
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': sql.slice(0, MAX_TEXT) },
  });
  return (error) => {
    if (error) fail(span, error);
    span.end();
  };
}
