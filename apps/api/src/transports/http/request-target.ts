import type { RequestListener } from 'node:http';

/**
 * Reduces a request target that is an absolute URL to its path and query (RFC 9112, 3.2.2), and escapes `#`, which no valid target contains. Express would
 * parse such targets with the deprecated `url.parse`. For some of them it would then respond with an HTML page of its own, before any middleware runs.
 */
export const withPathAsTarget =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const { url = '' } = request;
    const path = url.startsWith('/') ? url : `/${url.replace(/^https?:\/\/[^/?]*\/?/i, '')}`;
    request.url = path.replaceAll('#', '%23');
    listener(request, response);
  };

/** Splits a request target at its first question mark. */
export function splitTarget(target: string): { path: string; search: string } {
  const at = target.indexOf('?');
  return at < 0 ? { path: target, search: '' } : { path: target.slice(0, at), search: target.slice(at + 1) };
}
