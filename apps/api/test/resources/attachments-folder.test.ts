import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { content, eventually, upload } from '../support/files.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { maxFileBytes, useWorld } from '../support/world.ts';

const world = useWorld();
const member = useMember(world, useTenant(world), 'technician');

test('stops reading from the storage when the client disconnects', async () => {
  const large = new File([content('application/pdf', maxFileBytes)], 'large.pdf', { type: 'application/pdf' });
  const { body } = await upload(world, member, {}, large);
  const url = `${world.service.url}/api/attachments/${body.id}`;
  const headers = { authorization: `Bearer ${member.token}` };
  const openFiles = async () => {
    const descriptors = await readdir('/proc/self/fd');
    const paths = await Promise.all(descriptors.map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => '')));
    return paths.filter((path) => path.startsWith(world.filesDir)).length;
  };
  const begun = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const [response] = (await once(get(url, { headers, agent: false }), 'response')) as [IncomingMessage];
      await once(response, 'readable');
      return response;
    }),
  );
  expect(await openFiles()).toBe(20);
  for (const response of begun) response.destroy();
  await eventually(openFiles).toBe(0);
});
