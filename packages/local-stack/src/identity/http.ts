import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { style } from './pages/style.ts';

/** One request with its parsed URL, and its response. */
export interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  url: URL;
}

/** The body of Keycloak's status 500. */
export const serverError = { error: 'unknown_error', error_description: 'For more on this error consult the server log.' };

/** Sends a JSON response. */
export function sendJson(res: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers });
  res.end(JSON.stringify(body));
}

/** Sends a response without a body. */
export function sendEmpty(res: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  res.writeHead(status, headers);
  res.end();
}

const htmlHeaders = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

/** The headers of an HTML page that loads nothing, has no script, and may not be framed. */
export const pageHeaders = {
  ...htmlHeaders,
  'content-security-policy': `default-src 'none'; style-src ${hashSource(style)}; img-src data:; frame-ancestors 'none'; base-uri 'none'`,
};

/** Sends an HTML page with `pageHeaders`. */
export function sendPage(res: ServerResponse, status: number, page: string): void {
  res.writeHead(status, pageHeaders);
  res.end(page);
}

/** Sends an empty HTML page that runs a script module. Pages of all origins may frame it. */
export function sendFrame(res: ServerResponse, script: string): void {
  const policy = `default-src 'none'; script-src ${hashSource(script)}; connect-src 'self'; base-uri 'none'`;
  res.writeHead(200, { ...htmlHeaders, 'content-security-policy': policy });
  res.end(`<!doctype html><html lang="en"><meta charset="utf-8" /><title>Session</title><script type="module">${script}</script></html>`);
}

/** Returns the source by which a Content-Security-Policy allows an inline script or style. */
function hashSource(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

/** Reads the fields of a posted form. */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await text(req));
}
