import type { Request, Response } from 'express';
import type { Download, FileHead, FileSink, ReceiveFile } from '../../request/files.ts';
import type { ApiRequest, ParseLargeBody } from '../../request/api-request.ts';
import type { EventSink } from '../../request/feed.ts';
import type { RawInput } from '../../request/input.ts';
import type { RequestAbort } from '../../request/request-abort.ts';
import { readJson } from '../http/body.ts';
import type { HttpContext } from '../http/context.ts';
import { openEventStream, retryMs } from '../http/event-stream.ts';
import { sendFile } from './download.ts';
import { openFile } from './export-file.ts';
import { readForm } from './form.ts';
import type { FoundRoute } from './routes.ts';

/** A REST request as the input of an operation. */
export class RestRequest implements ApiRequest {
  readonly #request: Request;
  readonly #response: Response;
  readonly #context: HttpContext;
  readonly #found: FoundRoute;
  readonly #search: string;
  readonly #maxFileBytes: number;

  constructor(request: Request, response: Response, found: FoundRoute, search: string, maxFileBytes: number) {
    this.#request = request;
    this.#response = response;
    this.#context = response.locals.context;
    this.#found = found;
    this.#search = search;
    this.#maxFileBytes = maxFileBytes;
  }

  get requestId(): string {
    return this.#context.requestId;
  }

  get abort(): RequestAbort {
    return this.#context.abort;
  }

  get pathParameters(): Readonly<Record<string, string | undefined>> {
    return this.#found.params;
  }

  get isHead(): boolean {
    return this.#request.method === 'HEAD';
  }

  header(name: string): string | undefined {
    return this.#request.headers[name]?.toString();
  }

  readInput(parseLargeBody: ParseLargeBody, receive: ReceiveFile): RawInput | Promise<RawInput> {
    const { route, params } = this.#found;
    const { endpoint } = route.operation;
    const request = this.#request;
    const raw = {
      params: route.readPath(params),
      query: route.readQuery(this.#search),
      ifMatch: request.headers['if-match'],
      idempotencyKey: request.headers['idempotency-key'],
      ifNoneMatch: request.headers['if-none-match'],
      lastEventId: request.headers['last-event-id'],
    };
    if (endpoint.media === 'upload')
      return readForm(request, receive, this.#maxFileBytes, endpoint.fieldsFirst).then((form) => ({ ...raw, ...form }));
    if (endpoint.body) return readJson(request, endpoint.maxBodyBytes, parseLargeBody).then((body) => ({ ...raw, body }));
    return { ...raw, body: {} };
  }

  openEvents(): EventSink {
    return openEventStream(this.#response, { head: `retry: ${retryMs}\n\n`, hasTypes: true, quiet: '' });
  }

  openFile(head: FileHead): FileSink {
    return openFile(this.#response, head);
  }

  sendFile(file: Download): Promise<void> {
    return sendFile(this.#response, file);
  }
}
