import type { ErrorCode, Endpoint } from '@profile-service/contracts';
import {
  type CreatedRecord,
  type Example,
  exampleOf,
  examples,
  type Generated,
  type Input,
  type Records,
} from '@profile-service/contracts/examples';
import { expect } from 'vitest';

/** A resource with POST, GET, PUT and DELETE. */
export interface CrudResource {
  path: string;
  /** The field that identifies a record. */
  key: string;
  create: Example;
  update: Example;
  record: CreatedRecord;
  /** What a response has in the fields that the service sets. */
  generated: Input;
  unique: { fields: string[]; code: ErrorCode | undefined };
}

const forms: Record<Exclude<Generated, null>, unknown> = {
  id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/),
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  text: expect.any(String),
};

/** Accepted fields of a new record: all that its example knows, with values at their limits. */
export const allFields = async ({ create }: Pick<CrudResource, 'create'>, records: Records): Promise<Input> => ({
  ...(await create.valid(records)),
  ...(await create.optional?.(records)),
  ...(await create.limits?.(records)),
});

const keyOf = (name: string): string => Object.keys(paramsOf(name.replace(/create$/, 'get')))[0] ?? 'id';
const paramsOf = (name: string): Endpoint['params'] => examples.find((each) => each.name === name)?.endpoint.params ?? {};

export const crudResources: CrudResource[] = examples.flatMap(({ name, endpoint, example: { record, ...create } }) =>
  record
    ? [
        {
          path: endpoint.path,
          key: keyOf(name),
          create,
          update: exampleOf(name.replace(/create$/, 'update')),
          record,
          generated: Object.fromEntries(Object.entries(record.generated).map(([field, form]) => [field, form && forms[form]])),
          unique: { fields: [], code: undefined, ...record.unique },
        },
      ]
    : [],
);
