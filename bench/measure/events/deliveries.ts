import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from '../../../test/listen.ts';
import { sizes, tenant } from '../../data/size.ts';
import { tenantId } from '../../data/tables.ts';
import { cpuTimeOf } from '../../servers/cpu-time.ts';
import { asUsualAdmin } from '../../work/callers.ts';
import { usualOrganization } from '../../work/reads.ts';
import { addEvents, send, type Subject } from './subject.ts';

/** How many events are sent at most. */
const count = 10_000;

/** Sends events to a webhook whose receiver answers at once. */
export async function measureDeliveries(subject: Subject) {
  const { world, server } = subject;
  const admin = asUsualAdmin(world, 0);
  const organizationId = usualOrganization('small', 0);
  const ids = new Set<string>();
  const receiver = createServer((request, response) => {
    ids.add(String(request.headers['webhook-id']));
    request.resume().once('end', () => response.writeHead(204).end());
  });
  const url = `http://localhost:${await listen(receiver)}`;
  const received = async (events: number) => {
    while (ids.size < events) await pause(1);
    return performance.now();
  };
  const { id } = await send<{ id: string }>(subject, { ...admin, method: 'POST', path: '/api/webhooks', body: { url, types: ['*'] } });
  try {
    await send(subject, { ...admin, method: 'PUT', path: `/api/organizations/${organizationId}`, body: { alias: 'sent' } });
    await received(1);
    const cpu = cpuTimeOf(server.pid);
    await addEvents(subject, count, { tenantId: tenantId(tenant.usual, sizes.small), organizationId });
    const startedAt = await received(2);
    const seconds = ((await received(count + 1)) - startedAt) / 1_000;
    return { deliveries: count, perSecond: count / seconds, serverCpu: (cpuTimeOf(server.pid) - cpu) / count };
  } finally {
    await send(subject, { ...admin, method: 'PUT', path: `/api/webhooks/${id}`, body: { active: false } });
    receiver.closeAllConnections();
    receiver.close();
  }
}
