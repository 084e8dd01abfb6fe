import { connect, scoped } from '@profile-service/db';
import { expect, onTestFinished, test } from 'vitest';
import { EventPoller } from '../../src/journal/event-poller.ts';
import { startStream } from '../../src/journal/event-feed.ts';
import { RequestAbort } from '../../src/request/request-abort.ts';
import { untilReadable } from '../support/events.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';

const world = useWorldWithMap();

test('an event wakes the readers of its tenant that want its type', async () => {
  const [tenant, other] = [await world.tenant(), await world.tenant()];
  const database = connect({ connectionString: world.databaseUrl });
  onTestFinished(() => database.close());
  const poller = new EventPoller(database.executor);
  onTestFinished(() => poller.stop());
  await untilReadable(world);
  const { after } = await startStream(scoped(database.executor, { kind: 'all' }), {});
  const woken: string[] = [];
  const wait = async (name: string, tenantId: string | null, types?: string[]) => {
    const { hasEvents } = await poller.wait({ tenantId, types, after, waitMs: 60_000, abort: new RequestAbort() });
    if (hasEvents) woken.push(name);
  };
  const tenantId = tenant.id;
  void wait('others', other.id);
  void wait('deletions', tenantId, ['organization.deleted']);
  void wait('all deletions', null, ['organization.deleted']);
  void wait('creations', tenantId, ['organization.created', 'user.created']);
  void wait('all', null);
  void wait('own', tenantId);
  const { id } = await organizationOf(world, tenant);
  await expect.poll(() => woken.toSorted()).toEqual(['all', 'creations', 'own']);
  await world.call(world.global, `DELETE /api/organizations/${id}`);
  await expect.poll(() => woken.toSorted()).toEqual(['all', 'all deletions', 'creations', 'deletions', 'own']);
});
