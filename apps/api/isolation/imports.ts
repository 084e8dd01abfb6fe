import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { authorize, resolveCaller } from '../test/oracle/guard.ts';
import { type ImportResult, type Model, pair, type StoredImport } from '../test/oracle/model.ts';
import type { Rule } from '../test/oracle/rules.ts';
import { operationsOf } from './endpoints/imports.ts';
import { type Body, type Input, isRefusal } from './endpoints/driver.ts';
import { type Call, rest } from './http.ts';
import { Contradiction, predictFor, record, unexpectedResponse } from './prediction.ts';
import { endpointNamed, type World } from './world/world.ts';

/** Longest run of an import, in milliseconds. */
const timeoutMs = 10_000;

/** Runs the import that is queued, if there is one, and does its rows in the model too: each as the request that it stands for. */
export async function runQueuedImports(world: World): Promise<void> {
  const { model } = world;
  for (const stored of model.imports.values()) {
    if (stored.finishedAt !== null) continue;
    const { message } = await run(world, stored);
    const { data } = (await read(world, 'imports.results', stored.id)) as { data: ImportResult[] };
    const end = await predictRows(world, stored, data);
    check(stored, 'results', end.results, data.map(withoutErrors));
    for (const { status, code } of end.results) world.counters.count(`a row of ${stored.type}`, code ?? status);
    if (end.code !== null) world.counters.count('the end of an import', end.code);
    const count = (status: string) => end.results.filter((result) => result.status === status).length;
    Object.assign(stored, {
      ...end,
      status: end.code === null ? 'COMPLETED' : 'FAILED',
      message: end.code === null ? null : message,
      rows: stored.given.length,
      processed: end.results.length,
      created: count('CREATED'),
      updated: count('UPDATED'),
      unchanged: count('UNCHANGED'),
      failed: count('FAILED'),
      startedAt: 'set',
      finishedAt: 'set',
    });
    await checkAudit(world, stored);
  }
}

const withoutErrors = ({ row, status, id, code }: ImportResult): ImportResult => ({ row, status, id, code });

function check({ id, type }: StoredImport, what: string, wanted: unknown, got: unknown): void {
  if (!isDeepStrictEqual(wanted, got)) throw new Contradiction('imports.create', `${what} of ${type} ${id}`, wanted, got);
}

/** Reads as the root user, who sees all. */
async function read({ port, root }: World, name: string, id: string): Promise<Body> {
  const call: Call = { endpoint: endpointNamed(name), caller: root, header: undefined, input: { id } };
  const { problem, body } = await rest(port, call);
  if (problem) throw unexpectedResponse(call, 'a success', problem);
  return record(body);
}

/** Lets the service run imports until this one has ended. */
async function run(world: World, { id, type }: StoredImport): Promise<Body> {
  const stopping = new AbortController();
  const running = world.runImports(stopping.signal);
  const until = performance.now() + timeoutMs;
  try {
    for (;;) {
      const found = await read(world, 'imports.get', id);
      if (found['finishedAt'] !== null) return found;
      if (performance.now() > until) throw new Contradiction('imports.create', `of ${type} ${id}`, 'an end', found);
      await pause(5);
    }
  } finally {
    stopping.abort();
    await running;
  }
}

/** Does the rows in the model; those of a dry run in a copy. @param answered the results of the service, with the ids of new records */
async function predictRows(world: World, stored: StoredImport, answered: readonly ImportResult[]) {
  const model = stored.dryRun ? structuredClone(world.model) : world.model;
  const rules = ['imports.create', operationsOf(stored.type).create].map((name) => endpointNamed(name).rule) as [Rule, Rule];
  const load = () => {
    const caller = resolveCaller(model, rules[0], stored.token, stored.tenantId ?? '');
    if (typeof caller === 'string') return caller;
    for (const rule of rules) {
      const decision = authorize(caller, rule);
      if ('refused' in decision) return decision.refused;
    }
    // A user who is no longer Global may have an active tenant now.
    return (caller.tenant?.id ?? null) === stored.tenantId ? caller : 'TENANT_NOT_ALLOWED';
  };
  const results: ImportResult[] = [];
  let caller = load();
  for (const [index, row] of stored.given.entries()) {
    // Each creation of a user is a transaction of its own.
    if (stored.type === 'users' && !stored.dryRun) caller = load();
    if (typeof caller === 'string') return { results, code: caller };
    const { name, input } = requestOf(model, caller, stored, row);
    const outcome = predictFor(model, caller, { endpoint: endpointNamed(name), input });
    const got = answered[index];
    if (isRefusal(outcome)) {
      const [code = null] = outcome.codes.filter((each) => each === got?.code).concat(outcome.codes);
      results.push({ row: index + 1, status: 'FAILED', id: null, code });
      continue;
    }
    if (!got || got.status === 'FAILED') throw new Contradiction('imports.create', `row ${JSON.stringify(row)}`, 'a success', got);
    const before = stateOf(model, name, input);
    const { id: known, userId, tenantId } = input as Record<string, string | undefined>;
    const id = known ?? (name === 'memberships.assign' ? `${userId}:${tenantId}` : String(got.id));
    outcome.change?.(await madeBy(world, stored, name, id));
    const after = stateOf(model, name, input);
    const changed = before === undefined ? 'CREATED' : 'UPDATED';
    results.push({ row: index + 1, status: before === after ? (before === undefined ? 'CREATED' : 'UNCHANGED') : changed, id, code: null });
  }
  return { results, code: null };
}

/** The request that a row stands for. */
function requestOf(model: Model, caller: Parameters<typeof predictFor>[1], { type, mode }: StoredImport, row: Input) {
  const { create, update } = operationsOf(type);
  if (mode !== 'upsert' || !update) return { name: create, input: row };
  const table = model[type as 'organizations' | 'users' | 'customers'] as ReadonlyMap<string, { id: string; federalTaxId: string }>;
  const known = [...table.values()].find(({ federalTaxId }) => federalTaxId === row['federalTaxId']);
  const get = endpointNamed(`${type}.get`).driver;
  const isSeen = known && typeof caller !== 'string' && !isRefusal(get.outcome({ model, who: caller, input: { id: known.id } }));
  return isSeen ? { name: update, input: { ...row, id: known.id } } : { name: create, input: row };
}

/** The record that a request changes, as text. Undefined if there is none yet. */
function stateOf(model: Model, name: string, { id, userId, tenantId }: Input): string | undefined {
  const [group = ''] = name.split('.');
  const key = group === 'memberships' ? pair(String(userId), String(tenantId)) : String(id);
  const found = (model as unknown as Record<string, Map<string, object>>)[group]?.get(key);
  return found && JSON.stringify(found);
}

/** What the response of a creation would say. A dry run has created nothing. */
async function madeBy(world: World, { dryRun }: StoredImport, name: string, id: string): Promise<Body> {
  if (dryRun) return { id, organizationAddressId: randomUUID(), idIdentity: randomUUID() };
  const [group = '', last] = name.split('.');
  return last === 'create' ? read(world, `${group}.get`, id) : {};
}

/** Each row that changes something has one entry, by the uploader and in the tenant of the upload (IMPORTS-15, IMPORTS-16). */
async function checkAudit({ sql }: World, stored: StoredImport): Promise<void> {
  const { id, type, dryRun, createdBy, tenantId, results } = stored;
  const entries = await sql('select actor_id as "actorId", tenant_id as "tenantId" from audit_entries where request_id = $1', [id]);
  const changed = dryRun ? [] : results.filter(({ status }) => status === 'CREATED' || status === 'UPDATED');
  // The entry of a membership is in its own tenant.
  const tenantOf = ({ id: key }: ImportResult) => (type === 'memberships' ? key?.slice(-36) : tenantId);
  const wanted = changed.map((result) => ({ actorId: createdBy, tenantId: tenantOf(result) }));
  const sorted = (list: object[]) => list.map((each) => JSON.stringify(each)).toSorted();
  check(stored, 'audit entries', sorted(wanted), sorted(entries));
}
