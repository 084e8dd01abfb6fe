import { connect } from '@profile-service/db';
import { cleanStorage } from '@profile-service/operations';
import { createStorage } from '@profile-service/storage';
import type { Environment } from '../environment/environment.ts';
import { readSettings } from '../../src/settings.ts';
import { contentOf, hashOf, send } from '../load/request.ts';
import type { Acknowledged } from '../load/writer.ts';
import { checkEach } from './check-each.ts';

const basePath = 'attachments';
/** The clean-up removes what is older than an hour. */
const later = 2 * 60 * 60_000;

/**
 * Downloads the files of acknowledged uploads that were not deleted, and cleans the storage as if hours had passed. Returns files that are missing or differ,
 * and objects without an attachment that the clean-up has left.
 */
export async function checkStorage(environment: Environment, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const { instances, people, storage, settings } = environment;
  const { url } = environment.database;
  const deleted = new Set(acknowledged.filter(({ event }) => event === 'attachment.deleted').map(({ recordId }) => recordId));
  const problems = await checkEach(acknowledged, async ({ recordId, request }) => {
    if (!request.file || deleted.has(recordId)) return [];
    const path = `/api/attachments/${recordId}`;
    const { outcome, body } = await send(instances.urls[0] ?? '', { method: 'GET', path, token: people.tenant.admin });
    const isWhole = hashOf(body) === hashOf(contentOf(request.file));
    return isWhole ? [] : [`the acknowledged file ${recordId} cannot be downloaded: ${outcome}`];
  });
  const database = connect({ connectionString: url, max: 2 });
  const direct = await createStorage({ settings: readSettings({ ...settings, ...storage.gateway.settings, DATABASE_URL: url }) });
  try {
    const options = { db: database.db, storage: direct, basePath, now: new Date(Date.now() + later), secondLookMs: 0 };
    const { missing } = await cleanStorage(options);
    problems.push(...missing.ids.map((id) => `attachment ${id} has no object`));
    const left = await cleanStorage(options);
    if (left.removed + left.aborted > 0) problems.push(`the clean-up left ${left.removed} objects and ${left.aborted} incomplete uploads`);
  } finally {
    direct.close();
    await database.close();
  }
  return problems;
}
