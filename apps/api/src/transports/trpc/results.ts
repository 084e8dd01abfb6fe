import type { ProblemError } from '@profile-service/contracts';
import { EncodedJson } from '../../request/encoded-json.ts';

/** A JSON text in parts. The chunks of a large output are buffers. */
type Parts = readonly (string | Buffer)[];

/** The encoded result of a call. */
export interface CallResult {
  json: Parts;
  /** Set if the call failed. */
  problem?: ProblemError;
}

/** Adds the entity tag to an output, because the calls of a batch share the headers of the response. */
export const withEntityTag = (output: unknown, etag: string | undefined): unknown =>
  etag !== undefined && typeof output === 'object' ? { ...output, etag } : output;

/** Encodes the output of a call as tRPC's result. */
export const encodeOutput = (output: unknown): Parts =>
  output instanceof EncodedJson ? ['{"result":{"data":', ...output.chunks, '}}'] : [JSON.stringify({ result: { data: output } })];

/** Joins the results of a batch to an array. */
export const joinBatch = (results: readonly CallResult[]): Parts => [
  '[',
  ...results.flatMap(({ json }, index) => (index === 0 ? json : [',', ...json])),
  ']',
];

/**
 * Joins the results of a batch to tRPC's JSON Lines. Its first line describes the values that follow in later lines. Here it contains all results, because
 * the response is sent when the last call has ended.
 */
export const joinLines = (results: readonly CallResult[]): Parts => [
  ...results.flatMap(({ json }, index) => [`${index === 0 ? '{' : ','}"${index}":[[`, ...json, ']]']),
  '}\n',
];

/** The status of a response: the status of its calls, or 207 if they differ. */
export function statusOf(results: readonly CallResult[]): number {
  const [status = 200, ...others] = new Set(results.map(({ problem }) => problem?.status ?? 200));
  return others.length > 0 ? 207 : status;
}

/** Size of a text in bytes. */
export const byteLength = (json: Parts): number => json.reduce((total, part) => total + Buffer.byteLength(part), 0);

/** Converts a text to the body of a response, in chunks if it contains a large output. */
export function toBody(json: Parts): string | readonly Buffer[] {
  const texts = json.filter((part) => typeof part === 'string');
  return texts.length === json.length ? texts.join('') : json.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
}
