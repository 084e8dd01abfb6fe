import { records, type RecordType, recordTypes } from '@profile-service/contracts';
import { saoPaulo } from '@profile-service/contracts/examples';

/** The kind of record, or of unique value, that a field names. */
export type Kind = RecordType | 'email' | 'personTaxId' | 'organizationTaxId';

/** Values that belong together: a city and its state, or a user and a tenant of theirs. */
export type Pair = Readonly<Record<string, string | number>>;

const mostOfAKind = 100;

/** Ids and unique values from responses, the newest last. */
export class Known {
  readonly #names = new Map<Kind, (string | number)[]>();
  readonly #places: Pair[] = [saoPaulo];
  readonly #memberships: Pair[] = [];

  /** The value at this index, modulo their number; undefined if none is known. */
  pick(kind: Kind, index: number): string | number | undefined {
    const names = this.#names.get(kind) ?? [];
    return names[index % names.length];
  }

  /** Values that belong together, for an object with these fields; undefined if there are none. */
  pickPair(fields: readonly string[], index: number): Pair | undefined {
    const pairs = [this.#places, this.#memberships].find(([pair = {}]) => {
      const names = Object.keys(pair);
      return names.length > 0 && names.every((name) => fields.includes(name));
    });
    return pairs?.[index % pairs.length];
  }

  /** Forgets a record that was deleted. */
  forget(kind: Kind | undefined, name: string): void {
    const names = kind && this.#names.get(kind);
    const at = names?.findIndex((each) => String(each) === name) ?? -1;
    if (at >= 0) names?.splice(at, 1);
  }

  /** Adds the values in the body of a success. @param kind of the record at its root, or of the items of its list */
  learn(kind: Kind | undefined, body: unknown): void {
    if (typeof body !== 'object' || body === null) return;
    if ('data' in body && Array.isArray(body.data)) {
      for (const item of body.data) this.learn(kind, item);
      return;
    }
    for (const [field, value] of Object.entries(body)) {
      const named = field === 'id' ? kind : kindOfField(field, kind);
      if (named && (typeof value === 'string' || typeof value === 'number')) this.#note(named, value);
    }
    if ('ibgeCode' in body && 'stateCode' in body)
      add(this.#places, { cityCode: Number(body.ibgeCode), stateCode: Number(body.stateCode) });
    if ('userId' in body && 'tenantId' in body && Object.keys(body).length === 2) add(this.#memberships, body as Pair);
  }

  #note(kind: Kind, name: string | number): void {
    const names = this.#names.get(kind) ?? [];
    this.#names.set(kind, names);
    if (!names.includes(name)) add(names, name);
  }
}

function add<Item>(items: Item[], item: Item): void {
  items.push(item);
  if (items.length > mostOfAKind) items.shift();
}

/** Fields that do not have the name of the record type, such as `userId`. */
const fields: Readonly<Record<string, Kind>> = {
  organizationIds: 'organization',
  entityId: 'organization',
  stateCode: 'state',
  cityCode: 'city',
  ibgeCode: 'city',
  email: 'email',
};

const isRecordType = (name: string): name is RecordType => Object.hasOwn(records, name);

/** The kind of value in the field. @param owner the kind of the record with this field */
export function kindOfField(field: string, owner: Kind | undefined): Kind | undefined {
  if (field === 'id') return owner;
  if (field === 'federalTaxId') return owner === 'user' ? 'personTaxId' : 'organizationTaxId';
  const type = field.replace(/Id$/, '');
  return isRecordType(type) ? type : fields[field];
}

/** Endpoints whose records have another type than those of their group. */
const kinds: Readonly<Record<string, Kind>> = {
  'memberships.list': 'tenant',
  'memberships.users': 'user',
  'tenants.organizations': 'organization',
  'me.tenants': 'tenant',
};

/** The kind of the endpoint's records. @param name of the endpoint */
export function kindOfEndpoint(name: string): Kind | undefined {
  const short = name.replace(/^service\./, '');
  const [group = ''] = short.split('.');
  return kinds[short] ?? recordTypes.find((type) => (records[type].groups as readonly string[]).includes(group));
}
