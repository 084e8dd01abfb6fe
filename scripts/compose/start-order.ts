import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

interface Event {
  Action: string;
  timeNano: number;
  Actor: { Attributes: Record<string, string> };
}

/** What must have happened before the containers of a service start. */
const order: Record<string, { healthy?: string[]; ended?: string[] }> = {
  migrate: { healthy: ['postgres'] },
  keycloak: { healthy: ['postgres'] },
  storage: { ended: ['storage-volume'] },
  geography: { ended: ['migrate'] },
  api: { ended: ['geography'], healthy: ['postgres', 'redis', 'keycloak', 'storage'] },
  proxy: { healthy: ['api'] },
};

/** Throws if an action starts containers of a project in another order than docker-compose.yml says. */
export async function expectStartOrder(projectName: string, action: () => Promise<unknown>): Promise<void> {
  const filters = [`label=com.docker.compose.project=${projectName}`, 'event=start', 'event=die', 'event=health_status'];
  const since = String(Math.floor(Date.now() / 1000));
  const args = ['events', '--since', since, '--format', '{{json .}}', ...filters.flatMap((filter) => ['--filter', filter])];
  const child = spawn('docker', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const events: Event[] = [];
  const lines = createInterface(child.stdout).on('line', (line) => events.push(JSON.parse(line) as Event));
  try {
    await action();
  } finally {
    child.kill();
    await once(lines, 'close');
  }

  /** Times of an action of a service. Throws unless there is one for each container. */
  const times = (service: string, name: string): number[] => {
    const found = events.filter(({ Action, Actor }) => Action === name && Actor.Attributes['com.docker.compose.service'] === service);
    if (found.length === 0) throw new Error(`There is no event "${name}" of ${service}`);
    return found.map(({ timeNano }) => timeNano);
  };
  for (const [service, { healthy = [], ended = [] }] of Object.entries(order)) {
    const start = Math.min(...times(service, 'start'));
    for (const name of healthy)
      if (Math.max(...times(name, 'health_status: healthy')) > start) throw new Error(`${service} started before ${name} was healthy`);
    for (const name of ended) if (Math.max(...times(name, 'die')) > start) throw new Error(`${service} started before ${name} had ended`);
  }
}
