import { httpMethodsOf, type Method } from '@profile-service/contracts';
import createRouter from 'find-my-way';
import type { Operation } from '../../request/operation.ts';
import { maxHeaderSize } from '../http/server.ts';
import { createPathReader, createQueryReader } from './parameters.ts';

/** An operation with the readers of its parameters. */
export interface Route {
  operation: Operation;
  readQuery: ReturnType<typeof createQueryReader>;
  readPath: ReturnType<typeof createPathReader>;
}

export interface FoundRoute {
  route: Route;
  /** The parameters in the path, as text. */
  params: Record<string, string | undefined>;
}

export interface Routes {
  find(method: string, path: string): FoundRoute | undefined;
  /** The methods of the endpoints with this path. */
  methodsOf(path: string): (Method | 'HEAD')[];
}

/** Creates the router over the paths of all endpoints. */
export function createRoutes(operations: readonly Operation[]): Routes {
  const router = createRouter({ maxParamLength: maxHeaderSize });
  const methods = [...new Set(operations.flatMap(({ endpoint }) => httpMethodsOf(endpoint)))];
  for (const operation of operations) {
    const { path, query, params } = operation.endpoint;
    const route: Route = { operation, readQuery: createQueryReader(query), readPath: createPathReader(params) };
    router.on(httpMethodsOf(operation.endpoint), path.replaceAll(/\{(\w+)\}/g, ':$1'), () => undefined, route);
  }

  const withoutParameters = new Set(operations.map(({ endpoint }) => endpoint.path).filter((path) => !path.includes('{')));

  const find = (method: string, path: string): FoundRoute | undefined => {
    const found = router.find(method as Method | 'HEAD', path);
    if (!found) return undefined;
    const values = Object.values(found.params);
    // Return 404 for paths with empty segments: an empty segment is not an id. Nor is one that another path has, such as `/api/users/export`.
    if (values.includes('') || (values.length > 0 && withoutParameters.has(path))) return undefined;
    return { route: found.store as Route, params: found.params };
  };
  return { find, methodsOf: (path) => methods.filter((method) => find(method, path)) };
}
