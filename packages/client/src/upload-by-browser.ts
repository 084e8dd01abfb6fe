import { connectionFailed, invalidRequest, toProfileError } from './error-from.ts';
import type { TransferOptions } from './files.ts';
import type { Multipart } from './form.ts';
import type { ReceivedResponse } from './response.ts';

/** The part of XMLHttpRequest that an upload uses. The package compiles without the DOM types. */
export interface BrowserRequest {
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  send(body: Blob): void;
  abort(): void;
  readonly upload: { onprogress: ((event: { loaded: number }) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  readonly status: number;
  readonly responseText: string;
  getResponseHeader(name: string): string | null;
}

/** Returns XMLHttpRequest if the platform has it. */
export const browserRequestClass = (): (new () => BrowserRequest) | undefined =>
  (globalThis as { XMLHttpRequest?: new () => BrowserRequest }).XMLHttpRequest;

export interface Target {
  url: string;
  headers: Record<string, string>;
  signal: AbortSignal | undefined;
}

/** Sends a form by XMLHttpRequest, which reports upload progress. @throws ProfileError without a response */
export function sendByBrowser(
  request: BrowserRequest,
  { url, headers, signal }: Target,
  { file, multipart: { head, tail } }: { file: Blob; multipart: Multipart },
  onProgress: NonNullable<TransferOptions['onProgress']>,
): Promise<ReceivedResponse> {
  const abort = () => request.abort();
  return new Promise<ReceivedResponse>((resolve, reject) => {
    if (signal?.aborted) return reject(connectionFailed(signal.reason, signal));
    // The errors of XMLHttpRequest contain the invalid header, such as the token.
    const invalid = invalidRequest(url, headers);
    if (invalid) return reject(invalid);
    signal?.addEventListener('abort', abort, { once: true });
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => {
      try {
        onProgress({ loaded: Math.min(Math.max(loaded - head.length, 0), file.size), total: file.size });
      } catch (error) {
        reject(toProfileError(error));
        abort();
      }
    };
    request.onerror = () => reject(connectionFailed(new TypeError('Network error'), signal));
    request.onabort = () => reject(connectionFailed(new Error('The upload was aborted'), signal));
    request.onload = () =>
      resolve({ status: request.status, headers: { get: (name) => request.getResponseHeader(name) }, text: request.responseText });
    request.send(new Blob([head, file, tail]));
  }).finally(() => signal?.removeEventListener('abort', abort));
}
