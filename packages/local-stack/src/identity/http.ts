import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** One request with its parsed address, and where the answer goes. */
export interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  url: URL;
}

/** What Keycloak says when something went wrong on its side. */
export const serverError = { error: 'unknown_error', error_description: 'For more on this error consult the server log.' };

/** Answers with JSON. */
export function sendJson(res: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers });
  res.end(JSON.stringify(body));
}

/** Answers without a body. */
export function sendEmpty(res: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  res.writeHead(status, headers);
  res.end();
}

/** Answers with a page that may load nothing from anywhere and may not be framed. */
export function sendPage(res: ServerResponse, status: number, page: string): void {
  res.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  });
  res.end(page);
}

/** The fields of a posted form. */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await text(req));
}
