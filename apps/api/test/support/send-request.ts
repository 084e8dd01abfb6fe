import { type IncomingHttpHeaders, request, type RequestOptions } from 'node:http';
import { text as readText } from 'node:stream/consumers';

/** A response that was read completely. */
export interface CompleteResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Longer than every timeout of the service. */
const timeoutMs = 40_000;

/** Sends a request. Rejects if no response arrives within 40 s, or if the connection ends before the response is complete. */
export function sendRequest(options: RequestOptions, body: string | Buffer | undefined): Promise<CompleteResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      const { statusCode: status = 0, headers } = response;
      readText(response).then((text) => resolve({ status, headers, text }), reject);
    });
    sent.on('error', reject);
    sent.setTimeout(timeoutMs, () =>
      sent.destroy(new Error(`${options.method} ${options.path}: no response within ${timeoutMs / 1000} s`)),
    );
    sent.end(body);
  });
}
