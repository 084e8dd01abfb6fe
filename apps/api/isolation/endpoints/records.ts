import { removeRecord, type Model } from '../../test/oracle/model.ts';
import { anyCode, anyId, anyUserId, paging, ignoredFields } from './draws.ts';
import { answer, type Body, type Case, done, type Driver, type Input, page, refuse, type DrawContext } from './driver.ts';

type Key = string | number;
/** Several codes if the specification leaves the order of two checks open. */
type Refused = string | readonly string[] | undefined;

/** What is specific to a resource with five endpoints. */
export interface Records<R extends object> {
  /** The name of its map in the model. */
  table: keyof Model;
  /** The name of the id in path and record. */
  key: string;
  notFound: string;
  /** Whether the record is in the caller's scope; absent: it is in every scope. */
  visible?(it: Case, record: R): boolean;

  drawCreation(context: DrawContext): Input;
  drawChanges(context: DrawContext): Input;
  drawFilters?(context: DrawContext): Input;

  /** The error codes of a refused creation. */
  refuseCreation?(it: Case): Refused;
  /** The record that an accepted input creates, with the id and other generated values of the response. */
  make(it: Case, answered: Body): R;
  /** The record in responses, if that differs from the model. */
  show?(record: R): object;
  /** The record in the response of the creation, if that differs from the others. */
  showCreated?(record: R): object;
  created?(it: Case, record: R): void;

  refuseFilters?(it: Case): Refused;
  matches?(record: R, input: Input, model: Model): boolean;
  /** The order of the list; absent: newest first. */
  compare?(one: R, other: R): number;

  /** A 403 that depends on the input only. */
  refuseInput?(it: Case): Refused;
  refuseChange?(it: Case, record: R): Refused;
  editable: readonly string[];
  /** The changes that a request causes, if it causes more than it names. */
  amountTo?(record: R, changes: Input): Input;
  /** Further effects of the changes. */
  changed?(it: Case, record: R): void;

  refuseRemoval?(it: Case, record: R): Refused;
  removed?(it: Case, record: R): void;
}

/** The drivers of the five endpoints of a resource. */
export function drive<R extends object>(of: Records<R>): Record<'create' | 'list' | 'get' | 'update' | 'remove', Driver> {
  const tableOf = (model: Model) => model[of.table] as unknown as Map<Key, R>;
  const show = of.show ?? ((record: R) => record);
  const find = (it: Case): R | undefined => {
    const record = tableOf(it.model).get(it.input[of.key] as Key);
    return record && (of.visible?.(it, record) ?? true) ? record : undefined;
  };
  const drawKey = (context: DrawContext): Input => {
    const table = tableOf(context.model) as Map<never, unknown>;
    if (of.table === 'users') return { [of.key]: anyUserId(context) };
    return { [of.key]: of.key === 'id' ? anyId(context, table) : anyCode(context, table) };
  };

  return {
    create: {
      draw: of.drawCreation,
      outcome(it) {
        const refused = of.refuseInput?.(it) ?? of.refuseCreation?.(it);
        if (refused) return refuse(...[refused].flat());
        return {
          body: (answered) => (of.showCreated ?? show)(of.make(it, answered)),
          change(answered) {
            const record = of.make(it, answered);
            tableOf(it.model).set((record as Record<string, unknown>)[of.key] as Key, record);
            of.created?.(it, record);
          },
        };
      },
    },
    list: {
      draw: (context) => ({ ...paging(context), ...of.drawFilters?.(context) }),
      outcome(it) {
        const refused = of.refuseFilters?.(it);
        if (refused) return refuse(...[refused].flat());
        const seen = [...tableOf(it.model).values()].filter(
          (record) => (of.visible?.(it, record) ?? true) && (of.matches?.(record, it.input, it.model) ?? true),
        );
        return page((of.compare ? seen.toSorted(of.compare) : seen.toReversed()).map(show), it.input);
      },
    },
    get: {
      draw: drawKey,
      outcome(it) {
        const record = find(it);
        return record ? answer(show(record)) : refuse(of.notFound);
      },
    },
    update: {
      draw: (context) => ({ ...ignoredFields(context, of.editable), ...of.drawChanges(context), ...drawKey(context) }),
      outcome(it) {
        const record = find(it);
        const refused = of.refuseInput?.(it) ?? (record ? of.refuseChange?.(it, record) : of.notFound);
        if (refused || !record) return refuse(...[refused ?? of.notFound].flat());
        const given = Object.fromEntries(Object.entries(it.input).filter(([name]) => of.editable.includes(name)));
        const changes = of.amountTo?.(record, given) ?? given;
        return {
          body: () => show({ ...record, ...changes }),
          change() {
            Object.assign(record, changes);
            of.changed?.(it, record);
          },
        };
      },
    },
    remove: {
      draw: drawKey,
      outcome(it) {
        const record = find(it);
        const refused = record ? of.refuseRemoval?.(it, record) : of.notFound;
        if (refused || !record) return refuse(...[refused ?? of.notFound].flat());
        return done(() => {
          removeRecord(it.model, tableOf(it.model), it.input[of.key] as Key);
          of.removed?.(it, record);
        });
      },
    },
  };
}
