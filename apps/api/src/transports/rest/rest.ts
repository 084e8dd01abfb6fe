import type { IncomingMessage } from 'node:http';
import { type Method, ProblemError } from '@profile-service/contracts';
import createRouter from 'find-my-way';
import { readJson } from '../http/body.ts';
import { sendFile } from './download.ts';
import { showRateLimit } from '../http/address-limit.ts';
import { type Exchange, sendJson, sendNothing } from '../http/exchange.ts';
import { readForm } from './form.ts';
import type { Operation } from '../../operation/operation.ts';
import { compileParams, compileQuery } from './query.ts';
import { maxHeaderSize } from '../http/server.ts';

interface Route {
  operation: Operation;
  readQuery: ReturnType<typeof compileQuery>;
  readParams: ReturnType<typeof compileParams>;
}

export interface RestTransport {
  /** Answers the request if its path is a row's; false where no row has the path. Throws ProblemErrors. */
  handle(request: IncomingMessage, exchange: Exchange): Promise<boolean>;
}

/** The REST face: finds the row, turns path, query and body into its input, and its output into an answer. @param maxFileBytes of an upload */
export function createRestTransport(operations: readonly Operation[], maxFileBytes: number): RestTransport {
  const router = createRouter({ maxParamLength: maxHeaderSize });
  const methods = [...new Set(operations.map(({ endpoint }) => endpoint.method))];
  for (const operation of operations) {
    const { endpoint } = operation;
    const route: Route = { operation, readQuery: compileQuery(endpoint.query), readParams: compileParams(endpoint.params) };
    router.on(endpoint.method, endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'), () => undefined, route);
  }
  /** An empty part of a path is no id, but another path. */
  const find = (method: Method, path: string) => {
    const found = router.find(method, path);
    return found && !Object.values(found.params).includes('') ? found : null;
  };

  return {
    async handle(request, exchange) {
      const [path = '', search = ''] = splitOnce(request.url ?? '', '?');
      const found = find(request.method as Method, path);
      if (!found) {
        const allowed = methods.filter((method) => find(method, path));
        if (allowed.length === 0) return false;
        exchange.response.setHeader('allow', allowed.join(', '));
        throw new ProblemError('METHOD_NOT_ALLOWED');
      }
      const { operation, readQuery, readParams } = found.store as Route;
      const { endpoint } = operation;
      exchange.operation = operation;
      const output = await operation.run({
        authorization: request.headers.authorization,
        tenant: request.headers['x-tenant-id']?.toString(),
        onCaller: (caller) => (exchange.caller = caller),
        onStanding: (status) => showRateLimit(exchange, status),
        input: async (take) => ({
          params: readParams(found.params),
          query: readQuery(new URLSearchParams(search)),
          ...(endpoint.media === 'upload'
            ? await readForm(request, take, maxFileBytes)
            : { body: endpoint.body ? await readJson(request) : {} }),
        }),
        send: (file) => sendFile(request, exchange, file),
      });
      if (endpoint.media === 'download') return true;
      if (output === undefined) sendNothing(exchange, endpoint.success);
      else sendJson(exchange, endpoint.success, output);
      return true;
    },
  };
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
