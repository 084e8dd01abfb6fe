/** Says what is being loaded. */
export function Loading({ what }: { what: string }) {
  return <output className="loading">Loading {what}…</output>;
}
