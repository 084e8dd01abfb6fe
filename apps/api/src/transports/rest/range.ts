import type { ByteRange } from '../../request/files.ts';

/**
 * Parses a Range header with a single range of bytes (RFC 9110, 14.1.2).
 * @param size of the whole file, in bytes
 * @returns undefined for several ranges and for an invalid header: such a header is ignored
 */
export function parseRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^\s*bytes\s*=\s*(\d*)-(\d*)\s*$/i.exec(header) ?? [];
  if (first === '') {
    // `-500`: the last 500 bytes, or the whole file if it is shorter.
    if (last === '') return undefined;
    return Number(last) === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(size - Number(last), 0), end: size - 1 };
  }
  if (last !== '' && Number(last) < Number(first)) return undefined;
  if (Number(first) >= size) return 'unsatisfiable';
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
