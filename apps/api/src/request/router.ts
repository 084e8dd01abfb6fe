import { type Endpoint, isEndpoint } from '@profile-service/contracts';
import type { AnyHandler, HandlerOf } from './handler.ts';

type HandlersOf<Tree> = { [K in keyof Tree]: Tree[K] extends Endpoint ? HandlerOf<Tree[K]> : HandlersOf<Tree[K]> };

/** The handler of each endpoint. */
export type Router = ReadonlyMap<Endpoint, AnyHandler>;

/** Declares the handlers of a branch of the contract. A handler that is missing or has the wrong type does not compile. */
export const implement = <Tree extends object>(_endpoints: Tree, handlers: HandlersOf<Tree>): HandlersOf<Tree> => handlers;

/** Maps each endpoint of the contract to its handler. */
export function createRouter<Tree extends object>(tree: Tree, handlers: HandlersOf<Tree>): Router {
  const router = new Map<Endpoint, AnyHandler>();
  for (const [key, node] of Object.entries(tree) as [string, object][]) {
    const handler = (handlers as Record<string, unknown>)[key];
    if (isEndpoint(node)) router.set(node, handler as AnyHandler);
    else for (const [endpoint, inner] of createRouter(node, handler as never)) router.set(endpoint, inner);
  }
  return router;
}
