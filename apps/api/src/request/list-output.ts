import type { Endpoint } from '@profile-service/contracts';
import type { EncodeRow } from '@profile-service/db';
import { z } from 'zod';
import { createProjection } from './projection.ts';

/** The schema of a row if the output is a list: `{ data: rows }`, with or without totals. */
function rowOfList(output: Endpoint['output']): z.ZodType | undefined {
  if (!(output instanceof z.ZodObject)) return undefined;
  const { data } = output.shape as { data?: z.ZodType };
  return data instanceof z.ZodArray ? (data.element as z.ZodType) : undefined;
}

/** Returns the function that converts a row of the endpoint's list to JSON. It drops undeclared fields. For other endpoints, it throws. */
export function rowEncoderOf({ output }: Endpoint): EncodeRow {
  const row = rowOfList(output);
  if (!row) return noList;
  const project = createProjection(row);
  return (each) => JSON.stringify(project(each));
}

function noList(): never {
  throw new Error('The endpoint returns no list');
}
