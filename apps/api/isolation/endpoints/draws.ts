import { randomUUID } from 'node:crypto';
import type { Input, DrawContext } from './driver.ts';

let serial = 0;
/** A number that was never used before. */
export const next = (): number => (serial += 1);
export const newTaxId = (): string => String(10_000_000_000_000 + next());

/** An id of this table: usually of a live record, sometimes of a removed one, or of none. */
export function anyId({ model, random }: Pick<DrawContext, 'model' | 'random'>, table: ReadonlyMap<string, unknown>): string {
  // The first user is the root user, which never changes.
  const live = [...table.keys()].slice(table === model.users ? 1 : 0);
  const chosen = random.chance(0.8) ? random.pick(live) : random.pick(model.removedIds.get(table) ?? []);
  return (random.chance(0.06) ? undefined : (chosen ?? random.pick(live))) ?? randomUUID();
}

/** A user's id. Callers who may not change a Global user often try to, the root user included. */
export function anyUserId(context: DrawContext): string {
  const { model, who, random } = context;
  const globals = [...model.users.values()].filter(({ type }) => type === 'Global');
  return (!who.isGlobal && random.chance(0.4) ? random.pick(globals)?.id : undefined) ?? anyId(context, model.users);
}

/** A key of a table with numeric keys; -1 belongs to no record. */
export const anyCode = ({ random }: Pick<DrawContext, 'random'>, table: ReadonlyMap<number, unknown>): number =>
  (random.chance(0.1) ? undefined : random.pick([...table.keys()])) ?? -1;

/** Usually everything on one page, so that no record is missed; sometimes a small page, so that the total differs from its length, or has none. */
export function paging({ random }: DrawContext): Input {
  if (random.chance(0.6)) return { limit: 100 };
  if (random.chance(0.4)) return { limit: random.oneOf(1, 2, 100), cursor: '*' };
  return { limit: 1 + random.index(4), page: 1 + random.index(3) };
}

/** Some of the fields, for a partial update. */
export const someOf = ({ random }: DrawContext, fields: Input): Input => Object.fromEntries(random.some(Object.entries(fields)));

/** Fields that every PUT must ignore. */
export function ignoredFields(context: DrawContext, editable: readonly string[]): Input {
  const { model, random } = context;
  if (random.chance(0.7)) return {};
  const fields = {
    organizationId: anyId(context, model.organizations),
    tenantId: anyId(context, model.tenants),
    userId: anyId(context, model.users),
    idIdentity: random.pick([...model.users.values()])?.idIdentity,
    deletedAt: null,
    external: true,
  };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !editable.includes(name)));
}

/** A random part of the filters. */
export function filters(context: DrawContext, drawn: Record<string, () => unknown>): Input {
  return Object.fromEntries(Object.entries(drawn).flatMap(([name, draw]) => (context.random.chance(0.3) ? [[name, draw()]] : [])));
}

/** Whether the text matches the filter. An absent filter matches everything. */
export const contains = (text: string, part: unknown): boolean =>
  part === undefined || (typeof part === 'string' && text.toLowerCase().includes(part.toLowerCase()));
export const equals = (value: unknown, wanted: unknown): boolean => wanted === undefined || value === wanted;
