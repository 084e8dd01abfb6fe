import type { Endpoint, ErrorCode, Persona, UserType } from '../src/index.ts';

/** The input of a call: path, query and body in one flat object. */
export type Input = Record<string, unknown>;
/** Values that a field rejects. A dotted field is inside another one; undefined leaves the field out. */
export type InvalidValues = Record<string, readonly unknown[]>;

export interface ExampleTenant {
  id: string;
  customerId: string;
  appId: string;
  clientId: string;
}
export interface ExamplePerson {
  id: string;
  email: string;
  federalTaxId: string;
}
export interface ExampleOrganization {
  id: string;
  organizationAddressId: string | null;
  federalTaxId: string;
}

/** Creates the records that an input refers to, through the service. The world of the tests implements it. */
export interface Records {
  /** The tenant of the caller. */
  tenant: ExampleTenant;
  /** A tenant in which the caller has no membership. */
  foreign: ExampleTenant;
  newPerson(): { name: string; email: string; federalTaxId: string; type: UserType };
  /** A text that no other record has: 14 digits. */
  newTaxId(): string;
  newTenant(): Promise<ExampleTenant>;
  person(memberships?: Record<string, Persona>): Promise<ExamplePerson>;
  /** Sends a request as a Global user. Throws unless the response is 201. */
  create<Made = { id: string }>(target: string, body: unknown): Promise<Made>;
  /** Sends a request as a Global user. */
  send(target: string, body?: unknown): Promise<unknown>;
  /** An organization, linked to the tenant if there is one. */
  organization(tenant?: ExampleTenant): Promise<ExampleOrganization>;
  /** Links the organization to another tenant. */
  link(tenant: ExampleTenant, organizationId: string): Promise<void>;
  /** An attachment that a member of the tenant has uploaded. */
  attachment(tenant: ExampleTenant): Promise<{ id: string }>;
  /** An import that a member of the tenant has uploaded. It is queued. */
  importFile(tenant: ExampleTenant): Promise<{ id: string }>;
  /** A pending delivery of a webhook. */
  delivery(webhookId: string): Promise<{ id: string }>;
}

/** Records with many related rows. */
export interface LargeRecords {
  /** The number of related rows in each table. */
  size: number;
  tenant: ExampleTenant;
  person: { id: string };
  organization: { id: string; addressId: string; federalTaxId: string };
  contactId: string;
  attachmentId: string;
  /** Ids of organizations of the tenant. */
  organizationIds: string[];
}

type From<Source, Value> = (source: Source) => Value | Promise<Value>;

/** A field that the service sets: its form, or its value. */
export type Generated = 'id' | 'time' | 'text' | null;

/** What all kinds of tests know about the input of an endpoint. */
export interface Example<Sent = Input> {
  /** An input that succeeds for a caller who may do everything. Creates the records that it needs. */
  valid: From<Records, Sent>;
  /** Inputs with the data that a caller who may do everything receives, or a part of them. */
  returns?: From<Records, { input: Input; output: object }[]>;
  /** The optional fields of a creation, or the filters of a list, with values other than their defaults. */
  optional?: From<Records, Input>;
  /** Values at the limits of the fields of a creation. */
  limits?: From<Records, Input>;
  /** Inputs with which the endpoint does something else, such as a list with entries instead of an empty one. */
  variants?: From<Records, Input[]>;
  /** A new value for each field of an update. */
  changes?: From<Records, Input>;
  /** Fields of `optional` or `changes` that are valid only together. */
  together?: readonly string[];
  /** Fields that an update ignores. */
  fixed?: Input;
  /** `page`, `limit` and path parameters are tested for all endpoints. */
  invalid?: InvalidValues;
  /** The most characters of each text that accepts any text. */
  lengths?: Record<string, number>;
  /** For each of the endpoint's own errors: creates the state that causes it, and returns the changes of a valid input. */
  errors?: Partial<Record<ErrorCode, From<Records, Input>>>;
  /** The input about records with many related rows. Default: a page of a list; otherwise `valid`, about records that have none. */
  large?: (large: LargeRecords, records: Records) => Input;
  /** What a creation returns. Declared by the resources that have POST, GET, PUT and DELETE. */
  record?: CreatedRecord;
}

export interface CreatedRecord {
  /** The fields that the service sets. */
  generated: Record<string, Generated>;
  /** The optional fields that accept null, with their value after null or without a value. */
  nullable?: Input;
  /** The other optional fields, with their defaults. */
  defaults?: Input;
  unique?: { fields: string[]; code: ErrorCode };
  /** Fields of POST that no response contains. */
  requestOnly?: string[];
  /** Fields of the record that the response to POST does not contain. */
  absentAfterPost?: string[];
  /** Texts of the response to POST that the record does not contain, such as a secret. */
  onlyAfterPost?: string[];
}

/** One example per endpoint of the contract, or of a part of it. */
export type ExamplesOf<Tree> = {
  [Key in keyof Tree]: Tree[Key] extends Endpoint<infer _Method, infer _Access, infer Sent> ? Example<Sent> : ExamplesOf<Tree[Key]>;
};
