import type { Attachment, TransferOptions } from './files.ts';
import { errorOf } from './problem.ts';

/** As much of a browser's XMLHttpRequest as an upload needs. */
export interface BrowserRequest {
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  send(body: FormData): void;
  abort(): void;
  readonly upload: { onprogress: ((event: { loaded: number; total: number; lengthComputable: boolean }) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  readonly status: number;
  readonly responseText: string;
  getResponseHeader(name: string): string | null;
}

/** The platform's, where it has one. */
export const browserRequest = (): (new () => BrowserRequest) | undefined =>
  (globalThis as { XMLHttpRequest?: new () => BrowserRequest }).XMLHttpRequest;

export interface Target {
  url: string;
  headers: Record<string, string>;
  signal: AbortSignal | undefined;
}

/** Sends the form by XMLHttpRequest, which tells of the bytes that have left. */
export function sendByBrowser(
  request: BrowserRequest,
  { url, headers, signal }: Target,
  body: FormData,
  onProgress: NonNullable<TransferOptions['onProgress']>,
): Promise<Attachment> {
  const abort = () => request.abort();
  return new Promise<Attachment>((resolve, reject) => {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', abort, { once: true });
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => onProgress({ loaded, ...(lengthComputable ? { total } : {}) });
    request.onerror = () => reject(new TypeError('The upload failed: the service is out of reach'));
    request.onabort = () => reject((signal?.reason ?? new Error('The upload was aborted')) as Error);
    request.onload = () => {
      if (request.status === 201) resolve(JSON.parse(request.responseText) as Attachment);
      else reject(errorOf(request.status, request.getResponseHeader('content-type'), request.responseText));
    };
    request.send(body);
  }).finally(() => signal?.removeEventListener('abort', abort));
}
