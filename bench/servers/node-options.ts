import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../options.ts';

/** Returns the options of Node with which the image starts the service. */
export function imageNodeOptions(): string[] {
  const [, command] = /^CMD (\[.*"dist\/main\.js"\])$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? [];
  if (command === undefined) throw new Error('The Dockerfile has no CMD that starts dist/main.js');
  return (JSON.parse(command) as string[]).slice(1, -1);
}
