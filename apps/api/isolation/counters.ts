/** Counts worlds, steps and responses. */
export class Counters {
  worlds = 0;
  steps = 0;
  /** Endpoint → response (an error code, or success) → how often. */
  readonly responses = new Map<string, Map<string, number>>();

  count(endpoint: string, response: string): void {
    const known = this.responses.get(endpoint) ?? new Map<string, number>();
    this.responses.set(endpoint, known.set(response, (known.get(response) ?? 0) + 1));
  }

  /** Response → how often, the most frequent first. */
  byResponse(): [string, number][] {
    const counts = new Map<string, number>();
    for (const responses of this.responses.values())
      for (const [response, count] of responses) counts.set(response, (counts.get(response) ?? 0) + count);
    return [...counts].toSorted(([, one], [, other]) => other - one);
  }
}
