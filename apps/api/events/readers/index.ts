import { requestOf, sendTo } from '../../test/support/call.ts';
import { Random } from '../../isolation/random.ts';
import type { Environment } from '../environment.ts';
import { followFeed } from './feed.ts';
import { followWithClient } from './follow.ts';
import type { Reader } from './reader.ts';
import { followStream } from './stream.ts';
import { receiveWebhook, type WebhookReader } from './webhook.ts';

/** Starts the readers. Each has other rights and filters. */
export async function startReaders(
  { instances, people, tenants, organizations }: Environment,
  random: Random,
): Promise<(Reader | WebhookReader)[]> {
  const { urls } = instances;
  const [one, other] = tenants;
  const own = () => ({ urls, random: new Random(random.below(2 ** 31)) });
  const global = people.global.token ?? '';
  const [organizationId] = organizations;
  /** The organizations of a tenant stay linked to it. */
  const ofTenant = ({ id }: { id: string }, types: string) =>
    `organization_id in (select organization_id from organization_tenants where tenant_id = '${id}') and type ~ '${types}'`;
  const parts = '^organization(Contact|Address|)[.]';
  const createWebhook = (tenantId: string | null, types: string[]) => async (url: string) => {
    const request = requestOf({ token: global }, { url, types, tenantId });
    const { status, body } = await sendTo<{ id: string; secret: string }>(urls[0] ?? '', 'POST /api/webhooks', request);
    if (status !== 201) throw new Error(`POST /api/webhooks responded ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  return [
    await receiveWebhook({
      name: 'webhook of a tenant',
      ...own(),
      create: createWebhook(one.id, ['organization.*']),
      condition: ofTenant(one, '^organization[.]'),
    }),
    await receiveWebhook({
      name: 'webhook of all tenants, contacts and apps',
      ...own(),
      create: createWebhook(null, ['organizationContact.*', 'app.*']),
      condition: "type ~ '^(organizationContact|app)[.]'",
    }),
    followFeed({ name: 'feed of a Global user', ...own(), token: global, path: '/api/events', condition: 'true' }),
    followFeed({
      name: 'feed of an application',
      ...own(),
      token: one.application,
      path: '/service/events?types=organization.*,organizationContact.*,organizationAddress.*',
      condition: ofTenant(one, parts),
    }),
    followFeed({
      name: 'feed of one organization, as its tenant-admin',
      ...own(),
      token: one.admin,
      path: `/api/events?organizationId=${organizationId}`,
      condition: `organization_id = '${organizationId}'`,
    }),
    followStream({ name: 'stream of a Global user', ...own(), token: global, path: '/api/events/stream', condition: 'true' }),
    followStream({
      name: 'stream of an application, one type',
      ...own(),
      token: other.application,
      path: '/service/events/stream?types=organization.updated',
      condition: ofTenant(other, '^organization[.]updated$'),
    }),
    followWithClient({
      name: 'follow of an application',
      ...own(),
      token: other.application,
      types: ['organization.*', 'organizationContact.*', 'organizationAddress.*'],
      condition: ofTenant(other, parts),
    }),
  ];
}
