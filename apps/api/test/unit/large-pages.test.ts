import { endpoints } from '@profile-service/contracts';
import type { EncodeRow } from '@profile-service/db';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import type { AnyRead } from '../../src/request/handler.ts';
import { handlerOf } from '../../src/resources/index.ts';

/** The fields of the rows of a list with pages. */
const fieldsOf = (output: unknown) => (output as { shape: { data: z.ZodArray<z.ZodObject> } }).shape.data.element.shape;
const pagesWithMetadata = endpoints.filter(({ endpoint }) => 'page' in endpoint.query && 'metadata' in fieldsOf(endpoint.output));

test.each(pagesWithMetadata)('the rows of $name, which have metadata, are encoded when they arrive', async ({ endpoint }) => {
  const encodeRow: EncodeRow = () => '';
  const tables = { page: async (...[, , encode]: unknown[]) => ({ data: encode }) };
  const context = { input: { page: 1, limit: 100 }, caller: {}, scoped: tables, unscoped: tables, encodeRow };
  expect(await (handlerOf(endpoint) as AnyRead).run(context as never)).toMatchObject({ data: encodeRow });
});
