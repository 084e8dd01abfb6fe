/**
 * The floor of the benchmark: the least that a Node program must do to respond to the measured requests as the service does.
 * It uses node:http and `pg` with named prepared statements, one SQL statement per request, and caches tokens and callers as the service does. It has
 * no router, no validation and no framework.
 */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pino } from 'pino';
import { authenticate, listen } from './floor/callers.ts';
import { handlers } from './floor/handlers.ts';
import { type Caller, problem } from './floor/types.ts';

const { PORT = '0', STORAGE_DIR = '' } = process.env;
const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(1));

const server = createServer((request, response) => {
  const startedAt = performance.now();
  const [path = '', query = ''] = request.url?.split('?') ?? [];
  const [, area, resource, id, sub] = path.split('/');
  const operation = `${request.method} ${area}/${resource}${id === undefined ? '' : `/${sub === undefined ? '' : `/${sub}`}`}`;
  let known: Caller | undefined;
  const respond = (caller: Caller) => {
    known = caller;
    const handler = handlers[operation];
    if (!handler) throw problem(404, 'ROUTE_NOT_FOUND');
    return handler({ request, response, caller, id: id ?? '', query });
  };
  response.once('close', () => {
    const [requestId, durationMs] = [randomUUID(), Math.round((performance.now() - startedAt) * 10) / 10];
    const { statusCode: status } = response;
    log.info({ requestId, operation, method: request.method, caller: known?.id, tenant: known?.tenantId, status, durationMs }, 'request');
  });
  const fail = (error: Error & { status?: number }) => {
    if (response.headersSent) return void response.destroy(error);
    response.writeHead(error.status ?? 500, { 'content-type': 'application/problem+json' }).end(JSON.stringify({ code: error.message }));
  };
  try {
    const caller = authenticate(request);
    void (caller instanceof Promise ? caller.then(respond) : respond(caller)).catch(fail);
  } catch (error) {
    fail(error as Error);
  }
});

await listen();
// Lets --cpu-prof write its file.
process.once('SIGTERM', () => process.exit());
await mkdir(join(STORAGE_DIR, 'attachments', 'DOCUMENT'), { recursive: true });
server.listen(Number(PORT), '127.0.0.1');
