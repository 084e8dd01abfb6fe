import { ProblemError } from '@profile-service/contracts';
import type { Operation } from '../../request/operation.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Transport } from '../http/listener.ts';
import { RestCall } from './call.ts';
import { createRoutes } from './routes.ts';

/**
 * Creates the REST transport: it finds the endpoint by method and path, runs its operation and sends the output. It throws METHOD_NOT_ALLOWED for a known
 * path with another method, and what the operation throws.
 * @param maxFileBytes size limit of an uploaded file
 */
export function createRestTransport(operations: readonly Operation[], maxFileBytes: number): Transport {
  const routes = createRoutes(operations);

  return (exchange) => {
    const { method = '', url = '' } = exchange.request;
    const [path = '', search = ''] = splitOnce(url, '?');
    const found = routes.find(method, path);
    if (!found) {
      const allowed = routes.methodsOf(path);
      if (allowed.length === 0) return false;
      exchange.setHeader('allow', allowed.join(', '));
      throw new ProblemError('METHOD_NOT_ALLOWED');
    }
    const { operation } = found.route;
    exchange.operation = operation;
    return respond(exchange, operation, new RestCall(exchange, found, search, maxFileBytes));
  };
}

async function respond(exchange: Exchange, operation: Operation, call: RestCall): Promise<true> {
  const context = operation.createContext(call);
  exchange.addContext(context);
  const { status, headers, body } = await operation.run(context);
  // The last step of a download has already sent the file.
  if (operation.endpoint.media === 'download') return true;
  exchange.setHeaders(headers);
  if (body === undefined) exchange.send(status);
  else exchange.sendJson(status, body);
  return true;
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
