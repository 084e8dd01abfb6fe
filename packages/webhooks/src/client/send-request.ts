import type { Agent, Dispatcher } from 'undici';
import { parseWebhookUrl } from '../addresses/parse-url.ts';
import { WebhookError } from '../webhook-error.ts';
import type { Attempt } from './attempt.ts';
import { describeError } from './describe-error.ts';
import { BodyStart, parseRetryAfter } from './response.ts';
import { signatureHeaders, type SignedContent } from './sign.ts';

/** Sends one request and reads its response. Never rejects. */
export async function sendRequest(
  agent: Agent,
  { url, ...content }: SignedContent & { url: string },
  { timeoutMs, userAgent }: { timeoutMs: number; userAgent: string },
): Promise<Attempt> {
  const started = performance.now();
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new WebhookError(`The response took longer than ${timeoutMs / 1000} seconds`)), timeoutMs);
  const body = new BodyStart();
  let response: Dispatcher.ResponseData | undefined;
  let error: string | null = null;
  try {
    const { origin, pathname, search } = parseWebhookUrl(url);
    const headers = { 'content-type': 'application/json', 'user-agent': userAgent, ...signatureHeaders(content) };
    response = await agent.request({ origin, path: pathname + search, method: 'POST', headers, body: content.body, signal: abort.signal });
    await body.read(response.body);
  } catch (thrown) {
    error = describeError(thrown);
  } finally {
    clearTimeout(timer);
  }
  return {
    at: content.at,
    durationMs: Math.round(performance.now() - started),
    responseStatus: response?.statusCode ?? null,
    responseBody: response ? body.text() : null,
    error,
    retryAfterSeconds:
      response && [429, 503].includes(response.statusCode) ? parseRetryAfter(header(response, 'retry-after'), Date.now()) : null,
    abort: response !== undefined && header(response, 'webhook-delivery').trim().toLowerCase() === 'abort-message',
  };
}

/** The value of a header. A header that occurs several times counts once. */
const header = ({ headers }: Dispatcher.ResponseData, name: string): string => [headers[name]].flat()[0] ?? '';
