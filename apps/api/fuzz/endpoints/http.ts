import { Agent, request } from 'node:http';
import type { Sent } from './sent.ts';

export interface Answer {
  status: number;
  /** Content-Type without parameters. */
  type: string | undefined;
  requestId: string | undefined;
  /** Parsed JSON; a SyntaxError for invalid JSON; otherwise the text. */
  body: unknown;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });
/** Longer than every timeout of the service. */
const longestMs = 40_000;

/** Sends the request. Rejects if no response arrives in time, or if the connection ends before the response is complete. */
export function send(url: string, { method, target, headers, body, caller }: Sent): Promise<Answer> {
  const { hostname: host, port } = new URL(url);
  const all = {
    ...headers,
    ...(caller.token === undefined ? {} : { authorization: `Bearer ${caller.token}` }),
    ...(body === undefined ? {} : { 'content-length': String(body.length) }),
  };
  return new Promise((resolve, reject) => {
    const asked = request({ agent, host, port, method, path: target, headers: all }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const type = response.headers['content-type']?.split(';')[0];
        const text = Buffer.concat(chunks).toString();
        const answer = { status: response.statusCode ?? 0, type, requestId: response.headers['x-request-id']?.toString() };
        resolve({ ...answer, body: type?.endsWith('json') ? parse(text) : text });
      });
    });
    asked.on('error', reject);
    asked.setTimeout(longestMs, () => asked.destroy(new Error(`No response after ${longestMs / 1000} s`)));
    asked.end(body);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return new SyntaxError(`${text} is not JSON`);
  }
}

export const closeConnections = (): void => agent.destroy();
