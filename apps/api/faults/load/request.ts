import { createHash } from 'node:crypto';

/** A file of an upload, which can be made again for a repeated request. */
export interface FileContent {
  seed: string;
  bytes: number;
}

/** A request of a writer. */
export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  token: string;
  body?: object;
  file?: FileContent;
  /** Idempotency key. */
  key?: string;
}

/** What a client saw. */
export interface Response {
  /** `success`, a status with the code of the problem, or what happened instead of a response. */
  outcome: string;
  /** 0 without a response. */
  status: number;
  body: Buffer;
  isReplay: boolean;
}

/** A client gives up after this time. No fault may make it wait so long. */
const longestMs = 30_000;

/** Outcomes without a whole response. */
export const hung = `no response in ${longestMs / 1_000} s`;
export const refused = 'connection refused';
export const broken = 'connection broken';
export const cut = 'response cut';

/** Sends a request once. Never rejects. */
export async function send(url: string, request: Request): Promise<Response> {
  const { method, path, token, key, file, body } = request;
  const failed = (outcome: string) => ({ outcome, status: 0, body: Buffer.alloc(0), isReplay: false });
  try {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(key && { 'idempotency-key': key }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(file ? { body: formOf(file) } : body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(longestMs),
    });
    const bytes = await response.arrayBuffer().catch((error: unknown) => (isTimeout(error) ? hung : cut));
    if (typeof bytes === 'string') return failed(bytes);
    const content = Buffer.from(bytes);
    const { status, ok, headers } = response;
    return {
      outcome: ok ? 'success' : `${status} ${codeOf(content)}`,
      status,
      body: content,
      isReplay: headers.has('idempotency-replayed'),
    };
  } catch (error) {
    return failed(isTimeout(error) ? hung : isRefused(error) ? refused : broken);
  }
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';
const isRefused = (error: unknown): boolean =>
  error instanceof TypeError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';

/** The bytes of a file. */
export const contentOf = ({ seed, bytes }: FileContent): Buffer<ArrayBuffer> => {
  const content = Buffer.alloc(bytes, seed);
  content.write('%PDF-1.7\n');
  return content;
};

export const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

function formOf(file: FileContent): FormData {
  const form = new FormData();
  form.append('file', new File([contentOf(file)], 'file.pdf', { type: 'application/pdf' }));
  return form;
}

function codeOf(content: Buffer): string {
  try {
    return (JSON.parse(content.toString()) as { code?: string }).code ?? 'without code';
  } catch {
    return 'not JSON';
  }
}
