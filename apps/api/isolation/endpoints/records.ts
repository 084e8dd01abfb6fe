import type { RecordType } from '@profile-service/contracts';
import { type Key, type Model, removeRecord, tableOf } from '../../test/oracle/model.ts';
import { ignoredFields, paging, someOf } from './draws.ts';
import { answer, type Body, type Case, done, type Driver, type Input, page, refuse, refuseFor, type DrawContext } from './driver.ts';
import { drawFilters, drawKey } from './fields.ts';
import { drawBody, isVisible, made, passes, references, resourceOf, stored, takenValues, unknownReferences, without } from './resource.ts';

/** What is specific to a resource with five endpoints. The rest follows from the contract, the example and the record type. */
export interface Records<R> {
  /** Whether the record is in the caller's scope. */
  visible?(it: Case, record: R): boolean;
  /** Values of fields that the schema does not describe, or that are valid only together. */
  draw?(context: DrawContext): Input;
  /** The record that an accepted input creates, with the id and other generated values of the response. */
  make?(it: Case, answered: Body): R;
  /** The record in responses, if that differs from the model. */
  show?(record: R): object;
  /** The record in an export, if that differs from other responses. */
  showExported?(record: R, model: Model): object;
  /** Filters that do not compare the field of the same name. */
  matches?(record: R, input: Input, model: Model): boolean;
  /** The order of the list; absent: newest first. */
  compare?(one: R, other: R): number;
  /** A refusal that depends on the input only. */
  refuseInput?(it: Case): string | undefined;
  /** A refusal to update or delete the record, before other faults. */
  refuseRecord?(it: Case, record: R): string | undefined;
  /** Further error codes of a creation or update. @param others those of unknown references and taken values */
  faults?(it: Case, fields: Input, record: R | undefined, others: readonly string[]): string[];
  /** Instead of the refusal while other records refer to the record. */
  refuseRemoval?(it: Case, record: R): string | undefined;
  /** The changes that a request causes, if it causes more than it names. */
  amountTo?(changes: Input): Input;
  created?(it: Case, record: R): void;
  /** Further effects of the changes. */
  changed?(it: Case, record: R): void;
  removed?(it: Case, record: R): void;
}

const withoutNulls = (input: Input): Input => Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));

/** The drivers of the five endpoints of a resource. */
export function drive<R extends object>(
  type: RecordType,
  of: Records<R> = {},
): Record<'create' | 'list' | 'export' | 'get' | 'update' | 'remove', Driver> {
  const resource = resourceOf(type);
  const { key, notFound, create, list, update } = resource;
  const rows = (model: Model) => tableOf(model, type) as Map<Key, R>;
  const show = of.show ?? ((record: R) => record);
  const isSeen = (it: Case, record: R) => of.visible?.(it, record) ?? isVisible(it, type, record);
  const find = (it: Case): R | undefined => {
    const record = rows(it.model).get(it.input[key] as Key);
    return record && isSeen(it, record) ? record : undefined;
  };
  const make = (it: Case, answered: Body): R => of.make?.(it, answered) ?? (made(resource, it, answered) as R);
  const drawPath = (context: DrawContext): Input => ({ [key]: drawKey(context, type) });
  /** Ids inside and outside the caller's scope. */
  const drawIds = (context: DrawContext): Input =>
    context.random.chance(0.15) ? { ids: [drawKey(context, type), drawKey(context, type)] } : {};
  /** Oldest first. */
  const drawSort = ({ random }: DrawContext): Input => (!of.compare && random.chance(0.15) ? { sort: [key] } : {});
  const drawNull = ({ random }: DrawContext): Input => {
    const field = random.pick(Object.keys(resource.example.nullable).filter((each) => !resource.together.includes(each)));
    return field !== undefined && random.chance(0.2) ? { [field]: null } : {};
  };
  const faults = (it: Case, endpoint: typeof create, fields: Input, record?: R): string[] => {
    const others = [...unknownReferences(it, endpoint, fields), ...takenValues(resource, it, fields, record)];
    return [...others, ...(of.faults?.(it, fields, record, others) ?? [])];
  };

  /** The records that the filters select, in their order. */
  function listed(it: Case): R[] {
    const { ids, sort } = it.input;
    const seen = [...rows(it.model).entries()].flatMap(([id, record]) =>
      isSeen(it, record) &&
      passes(resource, record, it.input) &&
      (of.matches?.(record, it.input, it.model) ?? true) &&
      (!ids || (ids as unknown[]).includes(id))
        ? [record]
        : [],
    );
    if (of.compare) return seen.toSorted(of.compare);
    return sort ? seen : seen.toReversed();
  }

  return {
    create: {
      draw(context) {
        const own = of.draw?.(context) ?? {};
        return withoutNulls({ ...own, ...drawBody(resource, context, create, Object.keys(own)) });
      },
      outcome(it) {
        const refused = of.refuseInput?.(it);
        const codes = refused ? [refused] : faults(it, create, it.input);
        if (codes.length > 0) return refuseFor(codes);
        return {
          body: (answered) => ({
            ...without(show(make(it, answered)), resource.example.absentAfterPost),
            ...Object.fromEntries(resource.example.onlyAfterPost.map((field) => [field, answered[field]])),
          }),
          change(answered) {
            const record = make(it, answered);
            rows(it.model).set((record as Record<string, Key>)[key] as Key, record);
            of.created?.(it, record);
          },
        };
      },
    },
    list: {
      draw: (context) => ({
        ...drawFilters(context, list.query, rows(context.model)),
        ...drawIds(context),
        ...drawSort(context),
        ...paging(context),
      }),
      outcome(it) {
        const codes = unknownReferences(it, list, it.input);
        return codes.length > 0 ? refuseFor(codes) : page(listed(it).map(show), it.input);
      },
    },
    export: {
      draw: (context) => ({ ...drawFilters(context, list.query, rows(context.model)), ...drawIds(context), ...drawSort(context) }),
      outcome(it) {
        const codes = unknownReferences(it, list, it.input);
        if (codes.length > 0) return refuseFor(codes);
        return answer({ data: listed(it).map((record) => of.showExported?.(record, it.model) ?? show(record)), nextCursor: null });
      },
    },
    get: {
      draw: drawPath,
      outcome(it) {
        const record = find(it);
        return record ? answer(show(record)) : refuse(notFound);
      },
    },
    update: {
      draw(context) {
        const own = of.draw?.(context) ?? {};
        const changes = someOf(context, { ...drawBody(resource, context, update, Object.keys(own)), ...drawNull(context) });
        const ignored = ignoredFields(context, Object.keys(update.body?.shape ?? {}));
        return { ...ignored, ...changes, ...(context.random.chance(0.5) ? own : {}), ...drawPath(context) };
      },
      outcome(it) {
        const record = find(it);
        const refused = of.refuseInput?.(it) ?? (record ? of.refuseRecord?.(it, record) : notFound);
        if (refused || !record) return refuse(refused ?? notFound);
        const given = Object.fromEntries(Object.entries(it.input).filter(([name]) => update.body && name in update.body.shape));
        const codes = faults(it, update, given, record);
        if (codes.length > 0) return refuseFor(codes);
        const fields = stored(resource, given);
        const changes = of.amountTo?.(fields) ?? fields;
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
      draw: drawPath,
      outcome(it) {
        const record = find(it);
        if (!record) return refuse(notFound);
        const refused = of.refuseRecord?.(it, record) ?? (of.refuseRemoval ?? ((each) => references(resource, each, record)))(it, record);
        if (refused) return refuse(refused);
        return done(() => {
          removeRecord(it.model, rows(it.model), it.input[key] as Key);
          of.removed?.(it, record);
        });
      },
    },
  };
}
