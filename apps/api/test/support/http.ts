import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request, type RequestOptions } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A response that was read completely. */
export interface CompleteResponse {
  status: number;
  headers: IncomingHttpHeaders;
  readonly text: string;
  bytes: Buffer<ArrayBuffer>;
}

interface HttpResponse {
  status: number;
  /** Content-Type without parameters; undefined where there is none. */
  type: string | undefined;
  /** Created when it is read: few tests need it. */
  readonly headers: Headers;
  bytes: Buffer<ArrayBuffer>;
}

interface HttpRequest {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | FormData | undefined;
}

/** Longer than every timeout of the service. */
const timeoutMs = 40_000;
const agent = new Agent({ keepAlive: true });

/** Reads what a stream sends first, and disconnects. */
async function beginning(response: IncomingMessage): Promise<Buffer> {
  const [bytes] = (await once(response, 'data')) as [Buffer];
  response.destroy();
  return bytes;
}

/** Sends a request. Of a stream, reads only the beginning. Rejects if no response arrives within 40 s, or if the connection ends before the response is complete. */
export function sendRequest(options: RequestOptions, body: string | Uint8Array | undefined): Promise<CompleteResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      // A server may respond before it has read everything.
      sent.off('error', reject).on('error', () => undefined);
      const { statusCode: status = 0, headers } = response;
      const complete = (bytes: Buffer) => ({
        status,
        headers,
        bytes: bytes as Buffer<ArrayBuffer>,
        get text() {
          return bytes.toString();
        },
      });
      const isStream = status === 200 && headers['content-type'] === 'text/event-stream';
      (isStream ? beginning(response) : buffer(response)).then((bytes) => resolve(complete(bytes)), reject);
    });
    sent.on('error', reject);
    sent.setTimeout(timeoutMs, () =>
      sent.destroy(new Error(`${options.method} ${options.path}: no response within ${timeoutMs / 1000} s`)),
    );
    sent.end(body);
  });
}

/** Sends a request and reads the whole response. It needs a fraction of the CPU time of `fetch`, which most tests would spend there. */
export async function send(url: string, { method, headers, body }: HttpRequest): Promise<HttpResponse> {
  const { hostname, port, pathname, search } = new URL(url);
  const form = body instanceof FormData ? new Response(body) : undefined;
  const content = form ? new Uint8Array(await form.arrayBuffer()) : (body as string | Uint8Array | undefined);
  const sent = {
    ...(form && { 'content-type': form.headers.get('content-type') ?? '' }),
    ...(content !== undefined && { 'content-length': String(Buffer.byteLength(content)) }),
    ...headers,
  };
  const response = await sendRequest({ agent, hostname, port, method, path: pathname + search, headers: sent }, content);
  return {
    status: response.status,
    type: response.headers['content-type']?.split(';')[0],
    get headers() {
      return new Headers(response.headers as Record<string, string>);
    },
    bytes: response.bytes,
  };
}
