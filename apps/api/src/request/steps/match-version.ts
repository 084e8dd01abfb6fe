import { ProblemError, records, type VersionedType } from '@profile-service/contracts';
import { lockVersionStatement, type ScopedDatabase } from '@profile-service/db';
import { type EntityTags, entityTagOf, includesTag } from '../entity-tags.ts';
import type { Input } from '../input.ts';
import { defineStep } from '../step.ts';

const statements = new Map<VersionedType, ReturnType<typeof lockVersionStatement>>();

/** Locks the record in the open transaction and compares its version with If-Match. Throws PRECONDITION_FAILED, or the 404 of the record. */
export const matchVersion = defineStep(
  'match-version',
  async ({ endpoint }, scoped: ScopedDatabase, input: Input, ifMatch: EntityTags): Promise<void> => {
    const type = endpoint.versioned as VersionedType;
    let lockVersion = statements.get(type);
    if (!lockVersion) statements.set(type, (lockVersion = lockVersionStatement(type)));
    const { version } = await scoped.first(lockVersion, input, () => new ProblemError(records[type].notFound));
    if (!includesTag(ifMatch, entityTagOf(version))) throw new ProblemError('PRECONDITION_FAILED');
  },
);
