import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from '@profile-service/db';
import { createStorage } from '@profile-service/storage';
import { type CleanupReport, cleanStorage } from '@profile-service/operations';
import { readSettings } from '../../src/settings.ts';
import { createApi } from '../support/api.ts';
import { content, form, lookInto } from '../support/files.ts';
import type { Attachment } from '../support/records.ts';
import type { World } from '../support/world.ts';

/** A file of two parts of a multipart upload. */
export const large = content('application/pdf', 5.9 * 1024 * 1024);

/** Objects and records. */
export async function storedState(world: World) {
  const records = await world.sql<{ path: string }>('select file_path as path from attachments where deleted_at is null order by 1');
  return { keys: await lookInto(world).keys(), paths: records.map(({ path }) => path) };
}

/** Uploads, downloads and deletes files through a service, as the Global user of the world. */
export function transfers(world: World, url: string) {
  const api = createApi(url);
  return {
    upload: (bytes: Buffer<ArrayBuffer>) =>
      api.call<Attachment>(world.global, 'POST /api/attachments', form(['file', new File([bytes], 'a.pdf', { type: 'application/pdf' })])),
    download: (id: string) => api.call(world.global, `GET /api/attachments/${id}`),
    remove: (id: string) => api.call(world.global, `DELETE /api/attachments/${id}`),
    /** Begins a download. Resolves when the first bytes have arrived. */
    async beginDownload(id: string): Promise<IncomingMessage> {
      const headers = { authorization: `Bearer ${world.global.token}` };
      const [response] = (await once(get(`${url}/api/attachments/${id}`, { headers, agent: false }), 'response')) as [IncomingMessage];
      await once(response, 'readable');
      return response;
    },
  };
}

/** Runs the clean-up of the world's storage. @param minutes how far in the future it runs */
export async function cleanUp(world: World, minutes = 0): Promise<CleanupReport> {
  const settings = readSettings(world.environment);
  const database = connect({ connectionString: world.databaseUrl, max: 1 });
  const storage = await createStorage({ settings });
  try {
    const now = new Date(Date.now() + minutes * 60_000);
    return await cleanStorage({ db: database.db, storage, basePath: settings.STORAGE_BASE_PATH, now, secondLookMs: 0 });
  } finally {
    storage.close();
    await database.close();
  }
}
