import { Agent } from 'node:http';
import { sendRequest } from '../../test/support/send-request.ts';
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

/** Sends the request. Rejects if no complete response arrives in time. */
export async function send(url: string, { method, target, headers, body, caller }: Sent): Promise<Answer> {
  const { hostname: host, port } = new URL(url);
  const all = {
    ...headers,
    ...(caller.token === undefined ? {} : { authorization: `Bearer ${caller.token}` }),
    ...(body === undefined ? {} : { 'content-length': String(body.length) }),
  };
  const response = await sendRequest({ agent, host, port, method, path: target, headers: all }, body);
  const type = response.headers['content-type']?.split(';')[0];
  const requestId = response.headers['x-request-id']?.toString();
  return { status: response.status, type, requestId, body: type?.endsWith('json') ? parse(response.text) : response.text };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return new SyntaxError(`${text} is not JSON`);
  }
}

/** Closes the client's connections. */
export const closeConnections = (): void => agent.destroy();
