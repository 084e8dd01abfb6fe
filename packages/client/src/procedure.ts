/** A procedure that reads: its input, its output, and the error codes that it declares. */
export interface Query<Input, Output, Code extends string> {
  type: 'query';
  input: Input;
  output: Output;
  errorCode: Code;
}

/** A procedure that changes something: its input, its output, and the error codes that it declares. */
export interface Mutation<Input, Output, Code extends string> {
  type: 'mutation';
  input: Input;
  output: Output;
  errorCode: Code;
}

/** A procedure that sends events as they come: its input, one event, and the error codes that it declares. */
export interface Subscription<Input, Output, Code extends string> {
  type: 'subscription';
  input: Input;
  output: Output;
  errorCode: Code;
}

/** An export of records as a file: its input, and the error codes that it declares. */
export interface ExportedRecords<Input, Code extends string> {
  type: 'export';
  input: Input;
  errorCode: Code;
}

/** The input of a mutation of one record. */
export interface Conditional {
  /** An ETag, or a list of ETags. If the record has another one by now, the call fails with PRECONDITION_FAILED. */
  ifMatch?: string | undefined;
  /** The `etag` of the record that was read. The client sends it as `ifMatch`, unless that is given. The items of a list have none. */
  etag?: string | undefined;
}

/** The input of a creation. */
export interface Idempotent {
  /** A random value for each change that you want. A call that repeats it within 24 hours gets the result of the first one. Default: a new UUID. */
  idempotencyKey?: string | undefined;
}

/** The output of a procedure that returns one record. */
export interface Versioned {
  /** Version of the record, with its quotes: a value for `ifMatch`. */
  etag: string;
}
