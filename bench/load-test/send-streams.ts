import { Connection } from '../load/connection.ts';
import { quantile } from '../load/statistics.ts';
import type { Stream, StreamResult, StreamsRequest, StreamsResult } from './stream.ts';
import { trafficOf } from './traffic.ts';

/** How often due requests are sent, in milliseconds. */
const tickMs = 1;
/** In this time after the start, connections are opened and queues fill, in milliseconds. */
const startMs = 5_000;
/** How long responses are awaited after the last request, in milliseconds. */
const drainMs = 10_000;

/** The connections of a run, shared by its streams. */
class Connections {
  readonly #port: number;
  readonly #max: number;
  readonly #idle: Connection[] = [];
  #count = 0;

  constructor(port: number, max: number) {
    this.#port = port;
    this.#max = max;
  }

  /** Returns a free connection; undefined if there is none. */
  take(): Connection | Promise<Connection> | undefined {
    for (let found = this.#idle.pop(); found; found = this.#idle.pop()) {
      if (found.isOpen) return found;
      this.#count -= 1;
    }
    if (this.#count >= this.#max) return undefined;
    this.#count += 1;
    return Connection.open(this.#port).catch((error: unknown) => {
      this.#count -= 1;
      throw error;
    });
  }

  release(connection: Connection): void {
    if (connection.isOpen) this.#idle.push(connection);
    else this.#count -= 1;
  }

  close(): void {
    for (const connection of this.#idle) connection.close();
  }
}

/** Durations of responses in milliseconds. */
class Durations {
  readonly all: number[] = [];
  /** Of the requests that were due after the start. */
  readonly later: number[] = [];

  add(duration: number, isLater: boolean): void {
    this.all.push(duration);
    if (isLater) this.later.push(duration);
  }
}

/** Sends the requests of one stream, and counts the responses. */
class Sender {
  readonly #stream: Stream;
  readonly #next: () => Buffer;
  readonly #connections: Connections;
  readonly #accepted = new Durations();
  readonly #shed = new Durations();
  readonly #errors: Record<string, number> = {};
  readonly late: number[] = [];
  running = 0;
  #due = 0;
  #notSent = 0;
  /** When the next request of an open loop is due. */
  #nextAt = Infinity;
  #startEndsAt = Infinity;

  constructor(stream: Stream, request: StreamsRequest, connections: Connections) {
    this.#stream = stream;
    this.#next = trafficOf(stream.traffic, request.world, stream.tenants);
    this.#connections = connections;
  }

  start(startsAt: number, endsAt: number): void {
    this.#startEndsAt = startsAt + startMs;
    this.#nextAt = startsAt + this.#pause();
    const { pace } = this.#stream;
    if ('connections' in pace) for (let count = 0; count < pace.connections; count += 1) void this.#sendUntil(endsAt);
  }

  /** Sends what is due by now. */
  sendDue(now: number): void {
    while (this.#nextAt <= now) {
      this.#due += 1;
      this.late.push(now - this.#nextAt);
      const connection = this.#connections.take();
      if (connection) void this.#send(connection, this.#nextAt);
      else this.#notSent += 1;
      this.#nextAt += this.#pause();
    }
  }

  result(): StreamResult {
    return {
      name: this.#stream.name,
      due: this.#due,
      notSent: this.#notSent,
      accepted: this.#accepted.all.length,
      shed: this.#shed.all.length,
      errors: this.#errors,
      acceptedP50: quantile(this.#accepted.all, 0.5),
      acceptedP99: quantile(this.#accepted.all, 0.99),
      shedP99: quantile(this.#shed.all, 0.99),
      later: { acceptedP99: quantile(this.#accepted.later, 0.99), shedP99: quantile(this.#shed.later, 0.99) },
    };
  }

  #pause(): number {
    const { pace } = this.#stream;
    return 'connections' in pace ? Infinity : (-Math.log(1 - Math.random()) * 1000) / pace.perSecond;
  }

  /** Sends one request after the other. */
  async #sendUntil(endsAt: number): Promise<void> {
    for (let now = performance.now(); now < endsAt; now = performance.now()) {
      this.#due += 1;
      const connection = this.#connections.take();
      if (!connection) throw new Error('The closed loop has more connections than the run');
      await this.#send(connection, now);
    }
  }

  async #send(taken: Connection | Promise<Connection>, dueAt: number): Promise<void> {
    this.running += 1;
    let connection: Connection | undefined;
    try {
      connection = taken instanceof Connection ? taken : await taken;
      const status = await connection.send(this.#next());
      const duration = performance.now() - dueAt;
      const isLater = dueAt > this.#startEndsAt;
      if (status >= 200 && status < 300) this.#accepted.add(duration, isLater);
      else if (status === 503 && connection.hasHeader('retry-after')) this.#shed.add(duration, isLater);
      else this.#countError(String(status));
    } catch (error) {
      this.#countError(error instanceof Error ? error.message : String(error));
    } finally {
      if (connection) this.#connections.release(connection);
      this.running -= 1;
    }
  }

  #countError(name: string): void {
    this.#errors[name] = (this.#errors[name] ?? 0) + 1;
  }
}

/** Sends the streams at once. Resolves when the time is over and the responses have arrived. */
export async function sendStreams(request: StreamsRequest): Promise<StreamsResult> {
  const connections = new Connections(request.port, request.maxConnections);
  // The requests are encoded before the time starts.
  const senders = request.streams.map((stream) => new Sender(stream, request, connections));
  const startedAt = performance.now();
  const end = startedAt + request.seconds * 1000;
  for (const sender of senders) sender.start(startedAt, end);
  const isRunning = () => senders.some(({ running }) => running > 0);
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now();
      if (now < end) for (const sender of senders) sender.sendDue(now);
      else if (!isRunning() || now > end + drainMs) {
        clearInterval(timer);
        resolve();
      }
    }, tickMs);
  });
  connections.close();
  const late = senders.flatMap((sender) => sender.late);
  return { seconds: request.seconds, streams: senders.map((sender) => sender.result()), lateP99: quantile(late, 0.99) };
}
