import type { IncomingMessage, ServerResponse } from 'node:http';

export type Row = Record<string, unknown>;
export type Caller = { id: string; isGlobal: boolean; tenantId: string | null; isAdmin: boolean };
/** A request with the id in its path and its query. */
export type Call = { request: IncomingMessage; response: ServerResponse; caller: Caller; id: string; query: string };
export const problem = (status: number, code: string) => Object.assign(new Error(code), { status });
