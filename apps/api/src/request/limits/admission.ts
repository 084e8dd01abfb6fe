import { ProblemError } from '@profile-service/contracts';
import { type SlotRequest, useSlot, waitForSlot } from './slots.ts';
import { StartRate } from './start-rate.ts';

export interface AdmissionOptions {
  /** What the operations wait for, for the error detail: `a database slot`. */
  of: string;
  /** How many operations may run at once. */
  max: number;
  /** How many of one tenant may run at once. */
  maxPerTenant: number;
  /** Plural name of the operations, for the error detail of this limit: `uploads`. */
  operations?: string;
  /** How many operations may wait; 0 means no limit. */
  maxWaiting: number;
  /** The wait that is allowed while operations of a tenant wait without a break, in milliseconds: no more of them may wait than start in this time. */
  maxDelayMs: number;
  /** How long an operation waits, in milliseconds. */
  waitMs: number;
  /** Called for each operation that is rejected because its tenant uses all of its slots, for the metrics. */
  onTenantRejected(): void;
  /** Called for each operation that is rejected because the service is overloaded, for the metrics. */
  onOverloaded(): void;
  /** Called for each operation that has waited and now starts, for the metrics. */
  onWaited(seconds: number): void;
}

/** The part of the queue from which on requests that name no tenant are rejected early: it takes nine tenants to fill it. */
const almostFull = 0.9;

interface Tenant {
  readonly key: string;
  used: number;
  /** The functions that start the operations that have held a slot before and wait for another one, in order of arrival. */
  readonly continued: Set<() => void>;
  /** The functions that start the operations that wait for their first slot, in order of arrival. */
  readonly first: Set<() => void>;
  /** Defined while operations wait. */
  rate?: StartRate | undefined;
}

/** Operations of the tenant that wait. */
const waitingOf = ({ continued, first }: Tenant): number => continued.size + first.size;

/**
 * Admits operations to the slots of this process. Waiting operations get slots in turn, one tenant after the other, so that a tenant with many requests
 * delays its own requests and not those of others. Of one tenant, operations that have held a slot before come first: an upload needs several slots, and would
 * wait several times as long as other requests. A tenant without operations uses no memory.
 */
export class Admission {
  /** The error of a request that is rejected because the service is overloaded. It is the same one each time: capturing a stack takes long. */
  readonly overloaded: ProblemError;
  readonly #options: AdmissionOptions;
  readonly #maxWaiting: number;
  readonly #tenants = new Map<string, Tenant>();
  /** Tenants with waiting operations, in the order of their turns. */
  readonly #turns = new Set<Tenant>();
  #used = 0;
  #waiting = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.overloaded = new ProblemError('SERVICE_UNAVAILABLE', {
      detail: `The service is overloaded: too many requests wait for ${options.of}. Retry after 1 second.`,
    });
    this.#maxWaiting = options.maxWaiting || Infinity;
  }

  /** Tenants with operations. */
  get tenants(): number {
    return this.#tenants.size;
  }

  /** Operations that wait for a slot. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Whether an operation would be rejected at once, for requests whose caller is not known yet.
   * @param key of the tenant that the request names. Undefined if it names none: then whether nearly the whole queue is used
   */
  isFull(key: string | undefined): boolean {
    if (this.#waiting === 0) return false;
    if (key === undefined) return this.#waiting >= this.#maxWaiting * almostFull;
    const tenant = this.#tenants.get(key);
    return tenant && waitingOf(tenant) > 0 ? this.#isFullFor(tenant) : this.#waiting >= this.#maxWaiting;
  }

  /** Counts a rejected request, for the metrics. */
  countOverloaded(): void {
    this.#options.onOverloaded();
  }

  /** Counts a rejected request, and returns its error. */
  rejectOverloaded(): ProblemError {
    this.countOverloaded();
    return this.overloaded;
  }

  /**
   * Runs the work when a slot is free, and returns its result. If a slot is free now, the work starts synchronously.
   * @param key of the tenant
   * @param work gets whether it had to wait
   * @param isContinued whether the operation has held a slot before: then it is never rejected at once, because it has had effects
   * @throws SERVICE_UNAVAILABLE if the service is overloaded, RATE_LIMITED if the tenant's own slots are not free in time, the reason if the request is
   * aborted while it waits, or the error of the work
   */
  run<T>(key: string, request: SlotRequest, work: (hasWaited: boolean) => T | Promise<T>, isContinued = false): T | Promise<T> {
    const tenant = this.#tenantOf(key);
    const { max, maxPerTenant } = this.#options;
    if (this.#used >= max || tenant.used >= maxPerTenant) {
      if (!isContinued && this.#isFullFor(tenant)) {
        this.#forgetUnused(tenant);
        throw this.rejectOverloaded();
      }
      return this.#wait(tenant, request, isContinued).then(() => this.#use(tenant, () => work(true)));
    }
    this.#used += 1;
    tenant.used += 1;
    return this.#use(tenant, () => work(false));
  }

  /**
   * Each tenant may fill as much of the queue as is free. So one tenant fills half of it, two fill a third each, and there is always room for another
   * tenant (dynamic thresholds, Choudhury and Hahne 1998). That is for bursts. In an overload, no more may wait than start in the allowed time.
   */
  #isFullFor(tenant: Tenant): boolean {
    const { used, rate } = tenant;
    const waiting = waitingOf(tenant);
    if (waiting >= this.#maxWaiting - this.#waiting) return true;
    // A tenant that uses all of its own slots waits for itself.
    if (!rate || used >= this.#options.maxPerTenant) return false;
    return waiting >= Math.max(1, rate.perInterval(performance.now()));
  }

  /** Returns the tenant of the key, and creates it if there is none. */
  #tenantOf(key: string): Tenant {
    let tenant = this.#tenants.get(key);
    if (!tenant) this.#tenants.set(key, (tenant = { key, used: 0, continued: new Set(), first: new Set() }));
    return tenant;
  }

  /** Runs the work, then releases its slot. */
  #use<T>(tenant: Tenant, work: () => T | Promise<T>): T | Promise<T> {
    return useSlot(work, () => this.#release(tenant));
  }

  /** Waits for a slot in the queue of the tenant. */
  #wait(tenant: Tenant, request: SlotRequest, isContinued: boolean): Promise<void> {
    const { waitMs, maxDelayMs, onWaited } = this.#options;
    const queue = isContinued ? tenant.continued : tenant.first;
    const enter = (start: () => void) => {
      const since = performance.now();
      const startNow = () => {
        const now = performance.now();
        tenant.rate?.count(now);
        onWaited((now - since) / 1000);
        start();
      };
      queue.add(startNow);
      tenant.rate ??= new StartRate(maxDelayMs, since);
      this.#turns.add(tenant);
      this.#waiting += 1;
      return () => {
        queue.delete(startNow);
        this.#countRemoved(tenant);
      };
    };
    const waiting = waitForSlot(request, { waitMs, enter, timeout: () => this.#timeout(tenant) });
    // A request that is already aborted does not enter the queue.
    this.#forgetUnused(tenant);
    return waiting;
  }

  #countRemoved(tenant: Tenant): void {
    if (waitingOf(tenant) === 0) {
      this.#turns.delete(tenant);
      tenant.rate = undefined;
    }
    this.#waiting -= 1;
    this.#forgetUnused(tenant);
  }

  #forgetUnused(tenant: Tenant): void {
    if (tenant.used === 0 && waitingOf(tenant) === 0) this.#tenants.delete(tenant.key);
  }

  #timeout({ used }: Tenant): ProblemError {
    const { maxPerTenant, operations = 'requests', waitMs, onTenantRejected } = this.#options;
    if (used < maxPerTenant) return this.rejectOverloaded();
    onTenantRejected();
    const detail = `The limit of ${maxPerTenant} ${operations} at once for one tenant is reached, and none ended within ${waitMs / 1000} seconds.`;
    return new ProblemError('RATE_LIMITED', { detail });
  }

  /** Hands the slot to the tenant whose turn it is. */
  #release(tenant: Tenant): void {
    this.#used -= 1;
    tenant.used -= 1;
    // Only tenants that use all of their slots are skipped, and few can.
    for (const next of this.#turns) {
      if (next.used >= this.#options.maxPerTenant) continue;
      const [start] = next.continued.size > 0 ? next.continued : next.first;
      this.#used += 1;
      next.used += 1;
      // The tenant's next turn comes after that of the others.
      this.#turns.delete(next);
      this.#turns.add(next);
      start?.();
      break;
    }
    this.#forgetUnused(tenant);
  }
}
