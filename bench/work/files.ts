import { asUsualAdmin } from './callers.ts';
import { formWith, pdf } from './form.ts';
import { usualOrganization } from './reads.ts';
import type { Work } from './work.ts';

let upload: Buffer | undefined;

export const files = [
  {
    name: 'download of 1 MiB',
    status: 200,
    onFloor: true,
    different: 1,
    request: (world, n) => ({ ...asUsualAdmin(world, n), method: 'GET', path: `/api/attachments/${world.attachmentId}` }),
  },
  {
    name: 'upload of 10 MiB',
    status: 201,
    onFloor: true,
    different: 1,
    request: (world, n) => ({
      ...asUsualAdmin(world, n),
      method: 'POST',
      path: '/api/attachments',
      body: formWith({ entityId: usualOrganization(world.size, 0), description: 'Estatuto social' }, (upload ??= pdf(10))),
    }),
  },
] satisfies Work[];
