import { randomUUID } from 'node:crypto';
import type { People } from '../environment/people.ts';
import { contentOf, type FileContent } from './request.ts';
import { type LoadState, sendUntilSuccess, write } from './writer.ts';

/** Every tenth file is uploaded in several parts. */
const [small, large] = [2_000, 6 * 1024 ** 2];
/** Number of files that a writer keeps. It deletes the oldest one then. */
const keptFiles = 5;

/** Returns a writer that uploads, downloads and deletes files. */
export function fileWriter(state: LoadState, { tenant: { admin: token } }: People): () => Promise<void> {
  const files: { id: string; file: FileContent }[] = [];

  async function upload(): Promise<void> {
    const file = { seed: randomUUID(), bytes: Math.random() < 0.1 ? large : small };
    const id = await write(
      state,
      'files',
      { method: 'POST', path: '/api/attachments', token, file, key: randomUUID() },
      'attachment.created',
    );
    files.push({ id, file });
  }
  async function download(): Promise<void> {
    const found = files[Math.floor(Math.random() * files.length)];
    if (!found) return;
    const { body } = await sendUntilSuccess(state, 'files', { method: 'GET', path: `/api/attachments/${found.id}`, token });
    if (!body.equals(contentOf(found.file))) state.violations.push(`the file of attachment ${found.id} has other bytes than were uploaded`);
  }
  async function removeOldest(): Promise<void> {
    if (files.length <= keptFiles) return;
    const { id } = files.shift() ?? { id: '' };
    await write(state, 'files', { method: 'DELETE', path: `/api/attachments/${id}`, token }, 'attachment.deleted', id);
  }
  return async () => {
    await upload();
    await download();
    await removeOldest();
  };
}
