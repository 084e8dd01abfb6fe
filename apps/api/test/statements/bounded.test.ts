import { type NamedEndpoint, endpoints } from '@profile-service/contracts';
import { exampleOf, type Input, optionalParts, smallestChanges } from '@profile-service/contracts/examples';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useFixture } from '../endpoints/fixture.ts';
import { rest } from '../endpoints/send.ts';
import type { Actor } from '../support/api.ts';
import { restrict } from '../support/organizations.ts';
import { type StatementWatch, watchStatements } from '../support/statements.ts';

const mostTexts = 300;

/** Commands that have no plan. */
const isCommand = /^(begin|commit|rollback|(begin; )?set local [a-z_ =;]+)$/;

const fixture = useFixture();
let watch: StatementWatch;
let url: string;
beforeAll(async () => {
  watch = await watchStatements(fixture.world.databaseUrl, 'profile-service');
  ({ url } = await fixture.world.another({ DATABASE_URL: watch.url }, { healthIntervalMs: 3_600_000 }));
});
afterAll(() => watch.stop());

/** Every combination of the parts: each is absent or present. */
const choices = (parts: Input[]): Input[] =>
  parts.reduce<Input[]>((made, part) => [...made, ...made.map((one) => ({ ...one, ...part }))], [{}]);

/** The inputs of an endpoint: every combination of its optional fields, and pages with and without a count. */
async function inputsOf({ name, endpoint }: NamedEndpoint): Promise<Input[]> {
  const example = exampleOf(name);
  const valid = await example.valid(fixture);
  const isPartial = endpoint.body?.safeParse({}).success ?? false;
  const unchanged = Object.fromEntries(Object.entries(valid).filter(([field]) => !isPartial || field in endpoint.params));
  const own = example.changes
    ? choices(await smallestChanges(example, fixture)).map((change) => ({ ...unchanged, ...change }))
    : choices(await optionalParts(example, fixture)).map((chosen) => ({ ...valid, ...chosen }));
  const pages: Input[] = 'page' in endpoint.query ? [{}, { page: 2, limit: 1 }] : [{}];
  return [...own.flatMap((input) => pages.map((page) => ({ ...input, ...page }))), ...((await example.variants?.(fixture)) ?? [])];
}

/** Callers with the scopes ALL, TENANT and RESTRICTED. The last one has grants on all organizations of the tenant. */
async function newCallers(): Promise<[Actor, ...Actor[]]> {
  const { world, tenant, globalMember } = fixture;
  const reserved = ['organization-addresses', 'audit-entries'].flatMap((module) =>
    ['create', 'read', 'update', 'delete'].map((action) => `${module}:${action}`),
  );
  const member = await world.person({ [tenant.id]: 'coordinator' }, { roles: ['super_admin', ...reserved] });
  const links = await world.sql<{ id: string }>('select organization_id as id from organization_tenants where tenant_id = $1', [tenant.id]);
  const ids = links.map(({ id }) => id);
  await restrict(world, member.id, tenant.id, ids);
  await world.sql('update attachments set entity_id = $1 where tenant_id = $2', [ids[0], tenant.id]);
  return [world.global, { ...globalMember, tenant: tenant.id }, member];
}

test(`every combination of optional fields runs at most ${mostTexts} texts of SQL, each prepared`, { timeout: 600_000 }, async () => {
  const inputsByEndpoint = new Map<NamedEndpoint, Input[]>();
  for (const named of endpoints) inputsByEndpoint.set(named, await inputsOf(named));
  const [global, ...others] = await newCallers();
  watch.take();
  for (const [{ name, endpoint }, all] of inputsByEndpoint) {
    const callsOf = (actor: Actor, inputs: Input[]) => inputs.map((input) => ({ url, actor, input }));
    const calls =
      endpoint.access.kind === 'service'
        ? callsOf(fixture.tenant.service, all)
        : [...callsOf(global, all), ...others.flatMap((actor) => callsOf(actor, all.slice(0, 16)))];
    const statuses = new Set<number>();
    while (calls.length > 0)
      for (const { status } of await Promise.all(calls.splice(0, 8).map((call) => rest(call, name, endpoint)))) statuses.add(status);
    expect([name, [...statuses]]).toEqual([name, expect.arrayContaining([endpoint.success])]);
    expect([...statuses].filter((status) => ![endpoint.success, 403, 404, 409].includes(status))).toEqual([]);
  }
  const executed = watch.takeNamed().filter(({ text }) => !text.includes('pgboss'));
  expect(executed.filter(({ name, text }) => name === '' && !isCommand.test(text))).toEqual([]);
  const texts = new Set(executed.map(({ text }) => text));
  expect(texts.size).toBeGreaterThan(100);
  expect(texts.size).toBeLessThanOrEqual(mostTexts);
});
