import { type IncomingHttpHeaders, request, type RequestOptions } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A response that was read completely. */
export interface CompleteResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  bytes: Buffer;
}

/** Longer than every timeout of the service. */
const timeoutMs = 40_000;

/** Sends a request. Rejects if no response arrives within 40 s, or if the connection ends before the response is complete. */
export function sendRequest(options: RequestOptions, body: string | Buffer | undefined): Promise<CompleteResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      // A server may respond before it has read everything.
      sent.off('error', reject).on('error', () => undefined);
      const { statusCode: status = 0, headers } = response;
      buffer(response).then((bytes) => resolve({ status, headers, text: bytes.toString(), bytes }), reject);
    });
    sent.on('error', reject);
    sent.setTimeout(timeoutMs, () =>
      sent.destroy(new Error(`${options.method} ${options.path}: no response within ${timeoutMs / 1000} s`)),
    );
    sent.end(body);
  });
}
