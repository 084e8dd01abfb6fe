import { ProblemError, records, type VersionedType } from '@profile-service/contracts';
import { lockVersionStatement, type ScopedDatabase } from '@profile-service/db';
import type { RequestContext } from '../context.ts';
import { type EntityTags, entityTagOf, includesTag } from '../entity-tags.ts';
import type { Input } from '../input.ts';
import type { Respond } from '../response.ts';
import { defineStep } from '../step.ts';

interface Checked {
  check?(context: never): Promise<unknown>;
}

/** Runs the check of a handler, if it has one. Returns what the check found, such as a locked row. */
export const check = async (context: RequestContext, handler: Checked, handlerContext: object): Promise<unknown> =>
  handler.check && runCheck(context, handler, handlerContext);

const runCheck = defineStep('check', (_context, handler: Checked, handlerContext: object) => handler.check?.(handlerContext as never));

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

/** Runs a handler. Returns what it returns. */
export const handle = defineStep(
  'handle',
  (_context, handler: { run(context: never, checked: unknown): Promise<unknown> }, handlerContext: object, checked?: unknown) =>
    handler.run(handlerContext as never, checked),
);

/** Makes the response of what the handler returned. */
export const respond = defineStep('respond', (_context, create: Respond, returned: unknown, ifNoneMatch?: string) =>
  create(returned, ifNoneMatch),
);
