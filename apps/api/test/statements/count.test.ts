import { endpoints, type NamedEndpoint } from '@profile-service/contracts';
import { exampleOf, type Input } from '@profile-service/contracts/examples';
import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Fixture } from '../endpoints/fixture.ts';
import { invalidInput } from '../endpoints/calls.ts';
import { useFixture } from '../endpoints/fixture.ts';
import { rest } from '../endpoints/send.ts';
import type { Actor } from '../support/api.ts';
import { type StatementWatch, watchStatements } from '../support/statements.ts';
import { createSubject } from './subjects.ts';

/** An hour: no health check runs during the test. */
const healthIntervalMs = 3_600_000;
const isTransactionControl = (text: string) => /^(begin|start transaction|commit|rollback)\b/i.test(text);
/** Begins the transaction of a page that PostgreSQL plans for its values. This text and its COMMIT travel with the page. */
const isPlanSetting = (text: string) => text.startsWith('begin; set local plan_cache_mode');

const fixture = useFixture();
let watch: StatementWatch;
let url: string;
beforeAll(async () => {
  watch = await watchStatements(fixture.world.databaseUrl, 'profile-service');
  ({ url } = await fixture.world.another({ DATABASE_URL: watch.url }, { healthIntervalMs }));
});
afterAll(() => watch.stop());

interface Work {
  status: number;
  /** The statements in their order, without those that begin and end a transaction. */
  statements: string[];
  /** The number of statements that begin or end a transaction, without those that travel with a page. */
  transactionControl: number;
}

/** Calls the endpoint and returns the SQL statements of the call. */
async function call({ name, endpoint }: NamedEndpoint, actor: Actor, input: Input): Promise<Work> {
  watch.take();
  const { status } = await rest({ url, actor, input }, name, endpoint);
  const texts = watch.take();
  const statements = texts.filter((text) => !isTransactionControl(text));
  return { status, statements, transactionControl: texts.length - statements.length - 2 * texts.filter(isPlanSetting).length };
}

const actorOf = ({ endpoint }: NamedEndpoint, { tenant }: Pick<Fixture, 'tenant'>): Actor =>
  endpoint.access.kind === 'service' ? tenant.service : fixture.world.global;

describe('a call with a cached caller', () => {
  /** A change by an earlier request invalidates callers, also a moment later. Repeats the call, which changes nothing, until the caller is cached. */
  const expectWork = (named: NamedEndpoint, input: Input, isExpected: (work: Work) => boolean) =>
    expect.poll(() => call(named, actorOf(named, fixture), input)).toSatisfy(isExpected);

  const withInput = endpoints.filter(({ endpoint }) => Object.keys(invalidInput(endpoint)).length > 0);
  test.each(withInput)('runs no SQL before it rejects an invalid input: $name', async (named) => {
    const input = { ...(await fixture.sharedInput(named.name)), ...invalidInput(named.endpoint) };
    await expectWork(named, input, (work) => work.status === 400 && work.statements.length + work.transactionControl === 0);
  });

  const reads = endpoints.filter(({ name, endpoint }) => name.endsWith('.get') && endpoint.path.endsWith('}'));
  test.each(reads)('reads a record by id with one statement: $name', async (named) => {
    const input = await fixture.sharedInput(named.name);
    await expectWork(named, input, (work) => work.status === 200 && work.statements.length === 1 && work.transactionControl === 0);
  });

  const pages = endpoints.filter(({ endpoint }) => 'page' in endpoint.query);
  test.each(pages)('reads a page with its total in at most two statements, and only the declared columns: $name', async (named) => {
    for (const input of [{}, { page: 2, limit: 1 }])
      await expectWork(named, input, (work) => work.status === 200 && work.statements.length <= 2 && work.transactionControl === 0);
    const { data } = (named.endpoint.output as z.ZodObject<{ data: z.ZodArray<z.ZodObject> }>).shape;
    const declared = Object.keys(data.element.shape).length;
    await expectWork(named, {}, ({ statements }) => {
      const rows = statements.find((text) => text.includes(' limit ')) ?? '';
      // A list without filters joins the rows to their ids.
      const [, columns = ''] = /^select (?:"row"\.\* from .* lateral \(select )?(.*?) from /.exec(rows) ?? [];
      return !columns.includes('*') && columns.split(', ').length === declared;
    });
  });
});

/** A full page at every size. The service need not count the rows of a list whose first page is not full. */
const pageOf = ({ endpoint }: NamedEndpoint) => ('page' in endpoint.query ? () => ({ limit: 5 }) : undefined);

describe('the number of statements', () => {
  // Reads first. Deletions last, from the dependent records to those that they belong to.
  const inOrder = ['GET', 'PUT', 'POST', 'DELETE'].flatMap((method) => {
    const ofMethod = endpoints.filter(({ endpoint }) => endpoint.method === method);
    return method === 'DELETE' ? ofMethod.toReversed() : ofMethod;
  });

  /** Calls every endpoint once, after it has created this number of rows. */
  async function workAt(size: number): Promise<Map<string, Work>> {
    const subject = await createSubject(fixture, size);
    const works = new Map<string, Work>();
    for (const named of inOrder) {
      const { large = pageOf(named), valid } = exampleOf(named.name);
      const input = large ? large(subject, fixture) : await valid(fixture);
      const work = await call(named, actorOf(named, large ? subject : fixture), input);
      // An earlier write may have removed the caller from the cache.
      works.set(named.name, { ...work, statements: work.statements.filter((text) => !callerTexts.has(text)) });
    }
    return works;
  }

  let few: Map<string, Work>;
  let many: Map<string, Work>;
  const callerTexts = new Set<string>();
  beforeAll(async () => {
    for (const name of ['me.tenants', 'service.cooperatives.list']) {
      const named = endpoints.find((each) => each.name === name);
      if (!named) throw new Error(`There is no endpoint ${name}`);
      const tenant = await fixture.world.tenant();
      const actor = named.endpoint.access.kind === 'service' ? tenant.service : await fixture.world.person({ [tenant.id]: 'viewer' });
      const loading = await call(named, actor, {});
      let cached = loading;
      // The notification of a change by the fixture may arrive after the first call.
      const isCached = async () => (cached = await call(named, actor, {})).statements.length < loading.statements.length;
      await vi.waitUntil(isCached);
      for (const text of loading.statements) if (!cached.statements.includes(text)) callerTexts.add(text);
    }
    few = await workAt(10);
    many = await workAt(1000);
  });

  test.each(endpoints)('is the same with 10 and with 1,000 rows: $name', ({ name, endpoint }) => {
    expect(few.get(name)).toMatchObject({ status: endpoint.success });
    expect(many.get(name)).toEqual(few.get(name));
  });
});
