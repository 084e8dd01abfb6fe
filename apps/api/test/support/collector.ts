import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';

type KeyValues = { key: string; value: { stringValue?: string; [type: string]: unknown } }[];

/** A span in OTLP's JSON, as far as the tests read it. */
interface ReceivedSpan extends Record<'traceId' | 'spanId' | 'name' | 'startTimeUnixNano' | 'endTimeUnixNano', string> {
  parentSpanId?: string;
  kind: number;
  attributes: KeyValues;
  events: { name: string; attributes: KeyValues }[];
  links: { traceId: string; spanId: string }[];
  status: { code?: number; message?: string };
}

interface CollectedSpan extends Omit<ReceivedSpan, 'attributes'> {
  attributes: Record<string, unknown>;
  /** The attributes of the process. */
  resource: Record<string, unknown>;
}

interface TracedSpan extends CollectedSpan {
  children: TracedSpan[];
}

type Outline = (string | Outline)[];

const attributesOf = (attributes: KeyValues): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** Starts a receiver of traces over HTTP, which decodes JSON. @param port default: any */
export async function startCollector(port = 0) {
  const spans: CollectedSpan[] = [];
  const requests: { headers: IncomingHttpHeaders; body: Buffer }[] = [];
  let waiting: Promise<void> | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const type = request.headers['content-type'];
    const body = await buffer(request);
    await waiting;
    requests.push({ headers: request.headers, body });
    if (type === 'application/json') spans.push(...decode(body.toString()));
    response.writeHead(200, { 'content-type': type }).end();
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    /** Settings with which the service exports to it. */
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '20',
    },
    /** What it has received so far. A test may empty the lists. */
    spans,
    requests,
    /** Waits for the root span of this name. Returns it with its descendants. */
    async trace(name: string): Promise<TracedSpan> {
      const root = () => spans.find((span) => span.name === name && !spans.some(({ spanId }) => spanId === span.parentSpanId));
      await expect.poll(root, { timeout: 10_000 }).toBeDefined();
      return treeOf(root() as CollectedSpan, spans);
    },
    /** Lets exports wait. @returns a function that lets them go on */
    pause() {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting = promise;
      return resolve;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** A receiver of traces for the tests of a file. */
export const useCollector = () => duringTests(startCollector, (collector) => collector.stop());

const treeOf = (span: CollectedSpan, spans: readonly CollectedSpan[]): TracedSpan => ({
  ...span,
  children: spans.filter(({ parentSpanId }) => parentSpanId === span.spanId).map((child) => treeOf(child, spans)),
});

/** The names of a span's descendants, each below its parent: `['handle', ['SELECT tenants']]`. Spans that began in the same millisecond are in order of their end. */
export function outlineOf({ children }: TracedSpan): Outline {
  return children.flatMap((child) => (child.children.length > 0 ? [child.name, outlineOf(child)] : [child.name]));
}

/** All spans with this name below the span. */
export const spansNamed = (span: TracedSpan, name: string): TracedSpan[] =>
  span.children.flatMap((child) => [...(child.name === name ? [child] : []), ...spansNamed(child, name)]);

function decode(body: string): CollectedSpan[] {
  type Resource = { resource: { attributes: KeyValues }; scopeSpans: { spans: ReceivedSpan[] }[] };
  const { resourceSpans } = JSON.parse(body) as { resourceSpans: Resource[] };
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const spans = scopeSpans.flatMap((scope) => scope.spans);
    return spans.map((span) => ({ ...span, attributes: attributesOf(span.attributes), resource: attributesOf(resource.attributes) }));
  });
}
