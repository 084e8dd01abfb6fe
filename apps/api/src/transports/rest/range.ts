import type { ByteRange } from '../../handler/files.ts';

/**
 * The single range of bytes that a Range header asks for (RFC 9110, 14.1.2), within a content of `size` bytes.
 * @returns undefined for several ranges and for what is no range of bytes: such a header counts as absent
 */
export function parseRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^\s*bytes\s*=\s*(\d*)-(\d*)\s*$/i.exec(header) ?? [];
  if (first === '') {
    // The last bytes; all, where there are fewer.
    if (last === '') return undefined;
    return Number(last) === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(size - Number(last), 0), end: size - 1 };
  }
  if (last !== '' && Number(last) < Number(first)) return undefined;
  if (Number(first) >= size) return 'unsatisfiable';
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
