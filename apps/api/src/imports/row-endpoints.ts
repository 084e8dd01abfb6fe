import { type Endpoint, endpoints, type ImportTypeName, importTypeNames, importTypes } from '@profile-service/contracts';
import { type CompiledEndpoint, compileEndpoint } from '../request/compiled-endpoint.ts';
import type { AnyHandler } from '../request/handler.ts';

/** An endpoint that rows are requests of. */
export interface RowEndpoint {
  /** The name of the procedure. */
  operation: string;
  compiled: CompiledEndpoint;
}

/** The endpoints of the rows of a type. */
export interface RowEndpoints {
  create: RowEndpoint;
  /** For records that exist, in the mode `upsert`. */
  update: RowEndpoint | undefined;
}

/** Compiles the endpoints of all types of imports, once at the start. */
export function compileRowEndpoints(handlerOf: (endpoint: Endpoint) => AnyHandler): ReadonlyMap<ImportTypeName, RowEndpoints> {
  const compile = (endpoint: Endpoint): RowEndpoint => {
    const named = endpoints.find((each) => each.endpoint === endpoint);
    if (!named) throw new Error(`${endpoint.path} is not in the contract`);
    return { operation: named.name, compiled: compileEndpoint(endpoint, handlerOf(endpoint)) };
  };
  return new Map(
    importTypeNames.map((name) => {
      const { create, update }: { create: Endpoint; update?: Endpoint } = importTypes[name];
      return [name, { create: compile(create), update: update && compile(update) }];
    }),
  );
}
