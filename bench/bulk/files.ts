import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { check, type Check } from '../load-test/check.ts';
import { asGlobal } from '../work/callers.ts';
import { formAround } from '../work/form.ts';
import type { World } from '../work/world.ts';

const rowsAtOnce = 1_000;
const pollMs = 250;
const columns =
  'name,federalTaxId,address.zipCode,address.street,address.number,address.cityCode,address.stateCode,contacts.0.type,contacts.0.value,contacts.0.isPrimary';

/** A file of organizations, each with an address and a contact. Row n, from 1, has the tax id `before + n`. */
export interface BulkFile {
  rows: number;
  before: number;
}

let used = 70_000_000_000_000;

/** Returns a file whose tax ids no other file of this process has. */
export function newFile(rows: number): BulkFile {
  const before = used;
  used += rows;
  return { rows, before };
}

function* contentOf({ rows, before }: BulkFile): Generator<Buffer> {
  yield Buffer.from(`${columns}\r\n`);
  for (let done = 0; done < rows; done += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, rows - done);
    const lines = Array.from({ length: count }, (_, index) => {
      const row = done + index + 1;
      return `Cooperativa ${row},${before + row},01001000,Praça da Sé,${row},3550308,35,EMAIL,contato${row}@example.com,sim\r\n`;
    });
    yield Buffer.from(lines.join(''));
  }
}

/** An import, as the API shows it. */
export interface Import {
  id: string;
  status: string;
  message: string | null;
  processed: number;
  created: number;
  failed: number;
  startedAt: string;
  finishedAt: string | null;
}

/** Where requests go, and who sends them. */
export interface Target {
  port: number;
  world: World;
}

export const urlOf = ({ port }: Pick<Target, 'port'>, path: string): string => `http://127.0.0.1:${port}/api${path}`;

/** The credentials of a Global user. */
export const headersOf = ({ world }: Pick<Target, 'world'>): Record<string, string> => ({
  authorization: `Bearer ${asGlobal(world).token}`,
});

/** Uploads a file while it is generated. */
export async function upload(target: Target, file: BulkFile, dryRun: boolean): Promise<Import> {
  const fields = { type: 'organizations', dryRun: String(dryRun) };
  const { type, head, tail } = formAround(fields, { name: 'organizations.csv', type: 'text/csv' });
  const body = ReadableStream.from(
    (function* () {
      yield head;
      yield* contentOf(file);
      yield tail;
    })(),
  );
  const headers = { ...headersOf(target), 'content-type': type };
  const response = await fetch(urlOf(target, '/imports'), { method: 'POST', headers, body, duplex: 'half' });
  if (response.status !== 202) throw new Error(`The upload has the status ${response.status}: ${await response.text()}`);
  return (await response.json()) as Import;
}

/** Waits until the import meets the condition, and returns it. */
export async function waitFor(target: Target, id: string, condition: (found: Import) => boolean): Promise<Import> {
  for (;;) {
    const response = await fetch(urlOf(target, `/imports/${id}`), { headers: headersOf(target) });
    const found = (await response.json()) as Import;
    if (condition(found)) return found;
    await pause(pollMs);
  }
}

export const hasEnded = ({ finishedAt }: Import): boolean => finishedAt !== null;

export async function cancel(target: Target, id: string): Promise<void> {
  const response = await fetch(urlOf(target, `/imports/${id}`), { method: 'DELETE', headers: headersOf(target) });
  if (response.status !== 202) throw new Error(`The cancellation has the status ${response.status}`);
}

/** Counts what an import has stored, and how many rows of the file that belongs to: a row that was lost or done twice changes one of the numbers. */
const storedOf = `
  with created as (
    select id, federal_tax_id from organizations where federal_tax_id between ($2::bigint + 1)::text and ($2::bigint + $3::bigint)::text
  ), entries as materialized (
    select record_id from audit_entries where request_id = $1::text
  ), sent as materialized (
    select record_id from events where request_id = $1::text
  )
  select 'results' as name, count(*)::int, count(created.id)::int as rows
    from import_results as result
    left join created on created.id::text = result.record_id and created.federal_tax_id = ($2::bigint + result.row)::text
    where import_id = $1::uuid and status = 'CREATED'
  union all select 'organizations', count(*)::int, count(distinct federal_tax_id)::int from created
  union all select 'addresses', count(*)::int, count(distinct created.id)::int
    from created join organization_addresses on organization_id = created.id
  union all select 'contacts', count(*)::int, count(distinct created.id)::int
    from created join organization_contacts on organization_id = created.id
  union all select 'audit entries', count(*)::int, count(distinct created.id)::int
    from entries left join created on created.id::text = record_id::text
  union all select 'events', count(*)::int, count(distinct created.id)::int
    from sent left join created on created.id::text = record_id::text`;

/** Checks that the import has stored each row of the file exactly once. @param rows 0 for a dry run, which stores only its results */
export async function checkStored(database: pg.Client, name: string, { id }: Import, file: BulkFile, rows: number): Promise<Check[]> {
  type Stored = { name: string; count: number; rows: number };
  const { rows: stored } = await database.query<Stored>(storedOf, [id, file.before, file.rows]);
  const counted = rows > 0 ? stored : stored.filter((each) => each.name !== 'results');
  return counted.map((each) =>
    check(
      `${name}: ${each.name}`,
      `${rows}, of ${rows} rows`,
      `${each.count}, of ${each.rows} rows`,
      each.count === rows && each.rows === rows,
    ),
  );
}

/** Checks that all rows of the file were reported as created. */
export const checkReported = (name: string, { status, created, failed, message }: Import, { rows }: BulkFile): Check =>
  check(
    `${name}: status`,
    `COMPLETED, ${rows} created, 0 failed`,
    `${status}, ${created} created, ${failed} failed${message ? `: ${message}` : ''}`,
    status === 'COMPLETED' && created === rows && failed === 0,
  );
