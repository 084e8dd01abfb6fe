const kinds = ['customer', 'app', 'tenant', 'user', 'organization', 'address', 'contact', 'attachment'] as const;
export type Kind = (typeof kinds)[number];

const firstMoment = Date.UTC(2024, 0, 1);
const yearMs = 360 * 24 * 3600 * 1000;

/** When the nth of `count` records was created. They are spread over a year. */
export const createdAt = (n: number, count: number): Date => new Date(firstMoment + Math.floor((n / count) * yearMs));

/** The id of the nth of `count` records: a UUIDv7, so that ids sort by creation. */
export function idOf(kind: Kind, n: number, count: number): string {
  const time = createdAt(n, count).getTime().toString(16).padStart(12, '0');
  const kindDigit = kinds.indexOf(kind) + 1;
  return `${time.slice(0, 8)}-${time.slice(8)}-700${kindDigit}-8000-${n.toString(16).padStart(12, '0')}`;
}
