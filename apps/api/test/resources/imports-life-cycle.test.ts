import { rename } from 'node:fs/promises';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import type { Actor } from '../support/call.ts';
import { csvOf, holdOrganization, organizationRow, writtenBy } from '../support/import-rows.ts';
import { importEnd, type ImportBody, importResults, uploadImport } from '../support/imports.ts';
import { startWorldWithMap } from '../support/organizations.ts';
import { recordLog } from '../support/recorded-log.ts';
import { useMember, useTenant } from '../support/use-people.ts';

const { log, lines } = recordLog();
const world = duringTests(
  () => startWorldWithMap({}, { log }),
  (started) => started.stop(),
);
const [tenant, other] = [useTenant(world), useTenant(world)];
const [admin, otherAdmin] = [useMember(world, tenant, 'tenant-admin'), useMember(world, other, 'tenant-admin')];

const newTaxIds = (count: number) => Array.from({ length: count }, () => world.newTaxId());
const upload = async (taxIds = newTaxIds(1), actor: Actor = admin) =>
  (await uploadImport(world, actor, { type: 'organizations' }, csvOf(taxIds.map((taxId) => organizationRow(taxId))))).body;
const get = async (id: string) =>
  (await world.call<ImportBody & { startedAt: string; finishedAt: string }>(admin, `GET /api/imports/${id}`)).body;
const cancel = (id: string) => world.call<ImportBody>(admin, `DELETE /api/imports/${id}`);
const failuresOf = ({ id }: { id: string }) => lines().filter((line) => line['import'] === id);

// Rules: IMPORTS-18
test('imports of a tenant run one after the other, and those of other tenants do not wait for them', async () => {
  const held = world.newTaxId();
  const hold = await holdOrganization(world, held);
  const first = await upload([held]);
  await hold.reached();
  const waiting = [await upload(), await upload()];
  for (const actor of [otherAdmin, world.global]) await importEnd(world, actor, (await upload(undefined, actor)).id);
  for (const { id } of waiting) expect(await get(id)).toMatchObject({ status: 'QUEUED', startedAt: null, rows: null });
  await hold.release();
  const ended = [];
  for (const { id } of [first, ...waiting]) {
    expect(await importEnd(world, admin, id)).toMatchObject({ status: 'COMPLETED', created: 1 });
    ended.push(await get(id));
  }
  for (const [index, { startedAt }] of ended.slice(1).entries()) expect(startedAt >= (ended[index]?.finishedAt ?? '')).toBe(true);
});

// Rules: IMPORTS-19
test('a cancelled import keeps the rows that are done and does no others, and a cancelled one that waited does none', async () => {
  const taxIds = newTaxIds(100);
  const hold = await holdOrganization(world, taxIds[99] ?? '');
  const running = await upload(taxIds);
  const [waiting, last] = [await upload(), await upload()];
  await hold.reached();
  for (const { id } of [running, waiting]) {
    expect(await cancel(id)).toMatchObject({ status: 202, body: { id, status: 'CANCELLED', finishedAt: expect.any(String) as string } });
    expect((await cancel(id)).code).toBe('IMPORT_NOT_RUNNING');
  }
  await hold.release();
  await importEnd(world, admin, last.id);
  expect((await cancel(last.id)).code).toBe('IMPORT_NOT_RUNNING');
  const { processed, ...found } = await get(running.id);
  expect(found).toMatchObject({ status: 'CANCELLED', code: null, rows: 100, created: processed });
  expect(processed).toBeGreaterThan(0);
  expect(processed).toBeLessThan(100);
  expect(await importResults(world, admin, running.id)).toHaveLength(processed);
  expect(await writtenBy(world, running)).toHaveLength(processed);
  expect(await get(waiting.id)).toMatchObject({ status: 'CANCELLED', processed: 0, startedAt: null });
  expect(await writtenBy(world, waiting)).toEqual([]);
});

// Rules: IMPORTS-18
test('an import ends with its tenant, and others continue', async () => {
  const own = await world.tenant();
  const person = await world.person({ [own.id]: 'tenant-admin' });
  const held = world.newTaxId();
  const hold = await holdOrganization(world, held);
  const { id } = await upload([held], person);
  await hold.reached();
  await world.sql('delete from tenants where id = $1', [own.id]);
  await hold.release();
  await importEnd(world, admin, (await upload()).id);
  expect((await world.call(world.global, `GET /api/imports/${id}`)).code).toBe('IMPORT_NOT_FOUND');
  expect(await world.sql('select from organizations where federal_tax_id = $1', [held])).toEqual([]);
});

describe('an import continues', () => {
  // Rules: IMPORTS-13, IMPORTS-20
  test('after an unexpected error: a row that has it again fails alone, and one that has it no more succeeds', async () => {
    const taxIds = newTaxIds(70);
    await world.sql(`
      create table broken_tax_ids as select unnest('{${taxIds[4]},${taxIds[20]}}'::text[]) as id;
      create function break_row() returns trigger language plpgsql as $$ begin
        if exists (select from broken_tax_ids where id = new.federal_tax_id) then raise exception 'a bug'; end if;
        return new;
      end $$;
      create trigger break_row before insert on organizations for each row execute function break_row()`);
    onTestFinished(async () => {
      await world.sql('drop trigger break_row on organizations; drop function break_row; drop table broken_tax_ids');
    });
    const queued = await upload(taxIds);
    await expect.poll(() => failuresOf(queued)).toMatchObject([{ reason: expect.stringContaining('a bug') as string }]);
    expect(await get(queued.id)).toMatchObject({ status: 'RUNNING', processed: 0 });
    await world.sql('delete from broken_tax_ids where id = $1', [taxIds[4]]);
    const ended = await importEnd(world, admin, queued.id);
    expect(ended).toMatchObject({ status: 'COMPLETED', processed: 70, created: 69, failed: 1 });
    const failed = await importResults(world, admin, queued.id, 'status=FAILED');
    expect(failed).toEqual([{ row: 21, status: 'FAILED', id: null, code: 'INTERNAL_ERROR', errors: [] }]);
    // The transaction with the other row, and then the row alone.
    expect(failuresOf(queued)).toHaveLength(2);
    expect(await writtenBy(world, queued)).toHaveLength(69);
  });

  // Rules: IMPORTS-20
  test('after an unexpected error of an upsert that looks for its record', async () => {
    await world.sql('alter table customers rename to customers_away');
    onTestFinished(async () => void (await world.sql('alter table customers_away rename to customers')));
    const content = csvOf(newTaxIds(1).map((federalTaxId) => ({ name: 'Cliente', federalTaxId })));
    const { id } = (await uploadImport(world, world.global, { type: 'customers', mode: 'upsert' }, content)).body;
    expect(await importEnd(world, world.global, id)).toMatchObject({ status: 'COMPLETED', failed: 1 });
    expect(await importResults(world, world.global, id)).toMatchObject([{ row: 1, code: 'INTERNAL_ERROR' }]);
  });

  // Rules: IMPORTS-20
  test.skipIf(inject('s3Settings'))('when the storage is back', async () => {
    const held = world.newTaxId();
    const hold = await holdOrganization(world, held);
    await upload([held]);
    await hold.reached();
    const queued = await upload();
    await rename(world.filesDir, `${world.filesDir}-away`);
    const back = () => rename(`${world.filesDir}-away`, world.filesDir);
    onTestFinished(() => back().catch(() => undefined));
    await hold.release();
    await expect.poll(() => failuresOf(queued)).not.toEqual([]);
    expect(await get(queued.id)).toMatchObject({ status: 'RUNNING', rows: null, processed: 0 });
    await back();
    expect(await importEnd(world, admin, queued.id)).toMatchObject({ status: 'COMPLETED', created: 1 });
  });

  test('and fails if the storage has its file no more', async () => {
    const held = world.newTaxId();
    const hold = await holdOrganization(world, held);
    await upload([held]);
    await hold.reached();
    const keys = await world.storedFiles.keys();
    const queued = await upload();
    for (const key of await world.storedFiles.keys()) if (!keys.includes(key)) await world.storedFiles.remove(key);
    await hold.release();
    expect(await importEnd(world, admin, queued.id)).toMatchObject({ status: 'FAILED', code: 'FailedToDownloadFileError', processed: 0 });
  });
});
