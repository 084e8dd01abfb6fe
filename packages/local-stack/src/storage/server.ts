import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StorageError } from './errors.ts';
import type { Answer, Store } from './operation.ts';
import { findOperation } from './operations.ts';
import { readRequest } from './request.ts';
import { verifySignature, type Credentials } from './signature.ts';
import { element } from './xml.ts';

export interface StorageServer {
  server: Server;
  /** Resolves when every request has come to its end, also those whose client has gone. */
  settled(): Promise<void>;
}

/** The HTTP server in front of the store; every request is verified before anything of it is read or done. */
export function createStorageServer(store: Store, credentials: Credentials, region: string): StorageServer {
  const perform = async (incoming: IncomingMessage): Promise<Answer> => {
    const request = readRequest(incoming);
    await verifySignature(request, credentials, region);
    return findOperation(request)(request, store);
  };
  const running = new Set<Promise<void>>();
  const serve = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const serving = perform(incoming)
      .catch((error: unknown) => refusal(error, incoming.url?.split('?')[0] ?? ''))
      .then((answer) => send(answer, incoming, outgoing))
      .finally(() => running.delete(serving));
    running.add(serving);
  };
  // An upload takes as long as it takes; connections stay open longer than any client keeps them for reuse.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 120_000 }, serve);
  return { server, settled: async () => void (await Promise.allSettled(running)) };
}

function refusal(error: unknown, resource: string): Answer {
  const { code, message, status, headers } = error instanceof StorageError ? error : new StorageError('InternalError', String(error));
  return { status, headers, body: element('Error', element('Code', code), element('Message', message), element('Resource', resource)) };
}

async function send({ status, headers = {}, body }: Answer, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  outgoing.setHeader('x-amz-request-id', randomUUID());
  if (body instanceof Readable) {
    // It fails when the client goes away; there is nobody left to tell.
    await pipeline(body, outgoing.writeHead(status, headers)).catch(() => undefined);
    return;
  }
  const text = body && incoming.method !== 'HEAD' ? `<?xml version="1.0" encoding="UTF-8"?>\n${body.toString()}` : '';
  outgoing.writeHead(status, { ...headers, ...(text && { 'content-type': 'application/xml' }) }).end(text);
  // What is left of a body that was given up on the way stands before the connection's next request.
  incoming.resume();
}
