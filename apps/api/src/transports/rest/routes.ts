import type { Method } from '@profile-service/contracts';
import createRouter from 'find-my-way';
import type { Operation } from '../../operation/operation.ts';
import { maxHeaderSize } from '../http/server.ts';
import { compileParams, compileQuery } from './query.ts';

/** An operation with what reads the text of its parameters. */
export interface Route {
  operation: Operation;
  readQuery: ReturnType<typeof compileQuery>;
  readParams: ReturnType<typeof compileParams>;
}

export interface FoundRoute {
  route: Route;
  /** The parameters in the path, as text. */
  params: Record<string, string | undefined>;
}

export interface Routes {
  find(method: string, path: string): FoundRoute | undefined;
  /** The methods that the path has; none when no endpoint has the path. */
  methodsOf(path: string): Method[];
}

/** The router over the paths of all endpoints. */
export function createRoutes(operations: readonly Operation[]): Routes {
  const router = createRouter({ maxParamLength: maxHeaderSize });
  const methods = [...new Set(operations.map(({ endpoint }) => endpoint.method))];
  for (const operation of operations) {
    const { method, path, query, params } = operation.endpoint;
    const route: Route = { operation, readQuery: compileQuery(query), readParams: compileParams(params) };
    router.on(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), () => undefined, route);
  }

  const find = (method: string, path: string): FoundRoute | undefined => {
    const found = router.find(method as Method, path);
    // An empty path segment is not an id: it makes another path.
    if (!found || Object.values(found.params).includes('')) return undefined;
    return { route: found.store as Route, params: found.params };
  };
  return { find, methodsOf: (path) => methods.filter((method) => find(method, path)) };
}
