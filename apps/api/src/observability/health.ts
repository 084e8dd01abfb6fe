/** Health of the parts, watched in the background: a request for it never waits for a part that hangs. */
export interface Health {
  report(): { status: 'ok' | 'degraded' | 'down'; checks: Record<Part, 'ok' | 'down'> };
  stop(): void;
}

type Part = 'database' | 'identity' | 'storage' | 'cache';

const defaultIntervalMs = 5_000;
const timeoutMs = 4_000;

export interface HealthOptions {
  /** Each throws where its part is out of reach. */
  checks: Record<Part, () => Promise<unknown>>;
  /** Whether the provider's keys have been had once: without them no request can be answered. */
  hasKeys: () => boolean;
  /** Time between two looks at the parts. */
  intervalMs?: number | undefined;
}

/**
 * Checks every part at once and then every few seconds. `down` is what makes the service useless: no database, or no
 * keys ever. Any other part away only degrades it: taking every instance out would help nobody.
 */
export async function watchHealth({ checks, hasKeys, intervalMs = defaultIntervalMs }: HealthOptions): Promise<Health> {
  const parts = Object.keys(checks) as Part[];
  const state = Object.fromEntries(parts.map((part) => [part, 'down'])) as Record<Part, 'ok' | 'down'>;

  async function check(part: Part): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_, reject) => (timer = setTimeout(reject, timeoutMs, new Error('timeout'))));
    state[part] = await Promise.race([checks[part](), limit]).then(
      () => 'ok',
      () => 'down',
    );
    clearTimeout(timer);
  }

  const round = () => Promise.all(parts.map(check));
  await round();
  const timer = setInterval(() => void round(), intervalMs);
  return {
    report() {
      const isDown = state.database === 'down' || !hasKeys();
      const status = isDown ? 'down' : parts.some((part) => state[part] === 'down') ? 'degraded' : 'ok';
      return { status, checks: { ...state } };
    },
    stop: () => clearInterval(timer),
  };
}
