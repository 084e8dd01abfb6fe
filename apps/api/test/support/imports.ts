import type { Import, ImportResult } from '@profile-service/contracts';
import { expect } from 'vitest';
import type { z } from 'zod';
import { type Actor, headersOf } from './call.ts';
import type { World } from './world.ts';

export type ImportBody = z.output<typeof Import>;
export type ImportResultBody = z.output<typeof ImportResult>;
export type ImportContent = string | Uint8Array<ArrayBuffer>;

/** Uploads a file with its fields. */
export function uploadImport(world: World, actor: Actor, fields: Record<string, string>, content: ImportContent, name = 'file.csv') {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new Blob([content]), name);
  return world.call<ImportBody>(actor, 'POST /api/imports', form);
}

/** Waits for the end of an import, and returns it. */
export async function importEnd(world: World, actor: Actor, id: string): Promise<ImportBody> {
  let found: ImportBody | undefined;
  await expect
    .poll(async () => (found = (await world.call<ImportBody>(actor, `GET /api/imports/${id}`)).body).status, {
      interval: 50,
      timeout: 30_000,
    })
    .not.toMatch(/QUEUED|RUNNING/);
  return found as ImportBody;
}

/** Returns the text of the results. @param query such as `status=FAILED&format=csv` */
export async function importResultsText(world: World, actor: Actor, id: string, query = ''): Promise<string> {
  const response = await fetch(`${world.service.url}/api/imports/${id}/results?${query}`, { headers: headersOf(actor) });
  expect(response.status).toBe(200);
  return response.text();
}

export const importResults = async (world: World, actor: Actor, id: string, query = ''): Promise<ImportResultBody[]> =>
  (await importResultsText(world, actor, id, query))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ImportResultBody);

/** Uploads a file, waits for the end of the import, and returns it with its results. */
export async function runImport(world: World, actor: Actor, fields: Record<string, string>, content: ImportContent, name?: string) {
  const { status, body } = await uploadImport(world, actor, fields, content, name);
  expect([status, body]).toEqual([202, expect.objectContaining({ status: 'QUEUED' })]);
  return { done: await importEnd(world, actor, body.id), results: await importResults(world, actor, body.id) };
}
