import type { Attachment, TransferOptions, UploadedAttachment } from './files.ts';
import { toResponseError } from './problem.ts';

/** The part of XMLHttpRequest that an upload uses. The package compiles without the DOM types. */
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

/** Returns XMLHttpRequest if the platform has it. */
export const browserRequestClass = (): (new () => BrowserRequest) | undefined =>
  (globalThis as { XMLHttpRequest?: new () => BrowserRequest }).XMLHttpRequest;

export interface Target {
  url: string;
  headers: Record<string, string>;
  signal: AbortSignal | undefined;
}

/** Sends the form by XMLHttpRequest, which reports upload progress. */
export function sendByBrowser(
  request: BrowserRequest,
  { url, headers, signal }: Target,
  body: FormData,
  onProgress: NonNullable<TransferOptions['onProgress']>,
): Promise<UploadedAttachment> {
  const abort = () => request.abort();
  return new Promise<UploadedAttachment>((resolve, reject) => {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', abort, { once: true });
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => onProgress({ loaded, ...(lengthComputable ? { total } : {}) });
    request.onerror = () => reject(new TypeError('The upload failed: the service is unreachable'));
    request.onabort = () => reject((signal?.reason ?? new Error('The upload was aborted')) as Error);
    request.onload = () => {
      const header = (name: string) => request.getResponseHeader(name);
      if (request.status === 201) resolve({ ...(JSON.parse(request.responseText) as Attachment), etag: header('etag') ?? '' });
      else reject(toResponseError(request.status, header, request.responseText));
    };
    request.send(body);
  }).finally(() => signal?.removeEventListener('abort', abort));
}
