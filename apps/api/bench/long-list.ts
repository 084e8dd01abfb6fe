import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { migrate } from '@profile-service/db';
import { startIdentityProvider } from '@profile-service/local-stack';
import pg from 'pg';
import { fastFolder } from '../../../test/fast-folder.ts';
import { startFastPostgres } from '../../../test/fast-postgres.ts';
import { quickKey } from '../../../test/quick-key.ts';
import { withoutLimits } from '../../../test/without-limits.ts';
import { identitySettings, serviceClientConfig } from '../local/embedded-settings.ts';
import { startMeasuredService } from './measured-service.ts';

/** `pnpm --filter @profile-service/api bench:long-list`: how long a read of one tenant waits while another tenant lists 100,000 organizations. */
const organizations = 100_000;
const rounds = 5;
const client = { clientId: 'profile-service', secret: 'bench' };
const [large, small] = ['01936f2a-7c1e-7b44-9d5e-000000000001', '01936f2a-7c1e-7b44-9d5e-000000000002'];

const postgres = await startFastPostgres('bench');
const identity = await startIdentityProvider({ keys: [quickKey()], clients: [serviceClientConfig(client)] });
const filesDir = await mkdtemp(join(await fastFolder(), 'profile-service-bench-'));
await migrate(postgres.url);
await loadData();
const service = await startMeasuredService({
  DATABASE_URL: postgres.url,
  STORAGE_DIR: filesDir,
  ...identitySettings(identity, client),
  ...withoutLimits,
});
const tokens = await Promise.all([large, small].map((tenant) => identity.sign({ sub: tenant, azp: 'web' })));
const call = async (index: number, path: string) => {
  const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${tokens[index]}` } });
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length;
  return { status: response.status, bytes };
};

try {
  for (const path of [
    `/api/tenants/${large}/organizations`,
    `/trpc/tenants.organizations?input=${encodeURIComponent(JSON.stringify({ tenantId: large }))}`,
  ])
    await measure(path);
} finally {
  service.stop();
  await identity.stop();
  await postgres.stop();
  await rm(filesDir, { recursive: true });
}

/** Measures reads of the small tenant without and during the long list, and prints their durations. */
async function measure(path: string): Promise<void> {
  // The first calls compile code and open connections.
  await call(0, path);
  await readsDuring(() => pause(1_000));
  const alone = await readsDuring(() => pause(2_000));
  const during: number[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    during.push(...(await readsDuring(async () => void ({ bytes } = await call(0, path)))));
    await pause(200);
  }
  const figures = (times: number[]) => {
    const sorted = times.toSorted((a, b) => a - b);
    const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1);
    return `median ${at(0.5)} ms, 99th percentile ${at(0.99)} ms, longest ${at(1)} ms`;
  };
  console.log(
    `${path.split('?')[0]} (${(bytes / 1e6).toFixed(1)} MB)\n  read alone:       ${figures(alone)}\n  read during list: ${figures(during)}`,
  );
}

/** Repeats a read of the small tenant until the work has completed. @returns the durations in milliseconds */
async function readsDuring(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let done = false;
  const working = work().finally(() => (done = true));
  while (!done) {
    const startedAt = performance.now();
    await call(1, '/api/me/permissions');
    times.push(performance.now() - startedAt);
  }
  await working;
  return times;
}

async function loadData(): Promise<void> {
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  await database.query(`
    insert into customers (id, federal_tax_id, name, active) values (gen_random_uuid(), '11222333000181', 'Central', true);
    insert into apps (id, name) values (gen_random_uuid(), 'Bench');
    insert into tenants (id, customer_id, app_id, name) select tenant::uuid, customers.id, apps.id, 'Tenant'
      from customers, apps, unnest(array['${large}', '${small}']) tenant;
    insert into users (id, id_identity, name, email, federal_tax_id, type)
      select tenant::uuid, tenant, 'Reader', n || '@example.com', lpad(n::text, 11, '0'), 'Technician'
      from unnest(array['${large}', '${small}']) with ordinality reader(tenant, n);
    insert into memberships (user_id, tenant_id, persona) select id, id, 'viewer' from users;
    with made as (
      insert into organizations (id, name, federal_tax_id)
      select gen_random_uuid(), 'Cooperativa ' || n, lpad(n::text, 14, '0') from generate_series(1, ${organizations}) n returning id
    ) insert into organization_tenants (organization_id, tenant_id) select id, '${large}' from made;
  `);
  await database.query('vacuum analyze');
  await database.end();
}
