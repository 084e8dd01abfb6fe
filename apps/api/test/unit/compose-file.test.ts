import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commandsOf, nginxConfiguration } from '../../../../scripts/compose/page.ts';

const read = (file: string) => readFileSync(fileURLToPath(new URL(`../../../../${file}`, import.meta.url)), 'utf8');
const numberIn = (file: string, pattern: RegExp) => Number(pattern.exec(read(file))?.[1]);

test('Docker kills an instance 15 seconds after its delay', () => {
  const delay = numberIn('docker-compose.yml', /^ {2}SHUTDOWN_DELAY_SECONDS: (\d+)$/m);
  expect(numberIn('docker-compose.yml', /^ {4}stop_grace_period: (\d+)s$/m)).toBe(delay + 15);
  for (const name of ['SHUTDOWN_DELAY_SECONDS', 'SHUTDOWN_TIMEOUT_SECONDS']) expect(read('.env.example')).not.toContain(name);
  expect(read('docker-compose.yml')).not.toContain('  SHUTDOWN_TIMEOUT_SECONDS:');
});

test('the proxy has places for the instances of an upgrade', () => {
  const places = numberIn('deploy/proxy/haproxy.cfg', /^ {2}server-template api (\d+) /m);
  expect(places).toBe(2 * numberIn('docs/run/deployment.md', /`API_REPLICAS` sets the number of instances, at most (\d+)/));
});

test.each([
  ['1. Write the settings', 'npm run compose:env -- '],
  ['2. Start', 'docker compose up --build --wait\n'],
  ['5. Watch it', 'docker compose exec -T api node '],
  ['6. Back up', 'docker compose exec -T postgres pg_dump '],
  ['Restore', 'docker compose up --detach --wait postgres storage\n'],
])('the proof compose finds the commands of the section "%s"', (heading, beginning) => {
  expect(commandsOf(heading).startsWith(beginning)).toBe(true);
});

test('the proof compose finds the configuration of nginx, and rejects an unknown section', () => {
  expect(nginxConfiguration()).toContain('server_name profile.example.com;');
  expect(() => commandsOf('6. Back')).toThrow('docs/run/production.md has no section "6. Back"');
});
