import { inFile, type Mutant } from '../mutant.ts';

const keys = inFile('apps/api/src/request/limits/keys.ts');
const admission = inFile('apps/api/src/request/limits/admission.ts');
const concurrencyLimits = inFile('apps/api/src/request/limits/concurrency-limits.ts');
const outboundBuffer = inFile('apps/api/src/request/limits/outbound-buffer-limit.ts');
const slots = inFile('apps/api/src/request/limits/slots.ts');
const rateLimit = inFile('apps/api/src/request/limits/rate-limit.ts');
const steps = inFile('apps/api/src/request/steps.ts');
const ownTransactions = inFile('apps/api/src/request/steps/own-transactions.ts');
const trpc = inFile('apps/api/src/transports/trpc/trpc.ts');
const procedures = inFile('apps/api/src/transports/trpc/procedures.ts');
const trpcCall = inFile('apps/api/src/transports/trpc/call.ts');
const sending = inFile('apps/api/src/transports/http/send.ts');
const batch = inFile('apps/api/src/transports/trpc/batch-size.ts');
const storage = inFile('packages/storage/src/s3/s3-storage.ts');

const test = (name: string): string => `apps/api/test/${name}.test.ts`;

/** Rate limits, concurrency limits, and limits on memory. */
export const limits: readonly Mutant[] = [
  rateLimit('A caller sends requests without a limit', 'isOver: count > quota', 'isOver: false', test('limits/caller')),
  keys("One caller uses up every user's rate limit", '`user:${sub}`', "'user'", test('limits/caller')),
  keys(
    'A client escapes the address limit by changing X-Forwarded-For',
    'const forwarded = trust ? withoutPort(proxyAddr(request, trust)) : peer;',
    'const forwarded = withoutPort(proxyAddr(request, trust ?? (() => true)));',
    test('limits/address'),
  ),
  steps(
    'A caller creates users at the rate of ordinary requests',
    '    ...(endpoint.reachesIdentityProvider && rateLimits.identity ? [limitRate(rateLimits.identity)] : []),\n',
    '',
    test('limits/caller'),
  ),
  trpc(
    'A client tries a hundred tokens in one batch, which counts as one request',
    'if (others > 0) limited ??= count(request, context, others);',
    '',
    test('limits/batches'),
  ),
  procedures(
    'A client sends thousands of calls in one batch',
    "  if (names.length > maxCallsPerRequest) throw validationFailed('', 'Batch call exceeds maximum size');\n",
    '',
    test('limits/batches'),
  ),
  concurrencyLimits(
    'One tenant uses all database connections',
    'maxPerTenant: Math.ceil(settings.DATABASE_POOL_MAX / 2)',
    'maxPerTenant: settings.DATABASE_POOL_MAX',
    test('limits/busy-database'),
  ),
  keys(
    'Each user of a tenant gets the concurrency limit of a whole tenant',
    '`tenant:${tenantId}`',
    'callerKey(caller.kind, caller.claims)',
    test('limits/busy-database'),
  ),
  slots(
    'A failing request or upload keeps its slot forever',
    'return result.finally(release);',
    'return result.then((value) => (release(), value));',
    test('limits/busy-database'),
  ),
  admission(
    'A tenant with many requests delays those of all others',
    '      this.#turns.delete(next);\n      this.#turns.add(next);\n',
    '',
    test('limits/admission'),
  ),
  admission(
    'One tenant fills the queue of waiting requests',
    'waiting >= this.#maxWaiting - this.#waiting',
    'this.#waiting >= this.#maxWaiting',
    test('limits/load-shedding'),
  ),
  admission(
    'Requests wait for seconds in an overload',
    'return waiting >= Math.max(1, rate.perInterval(performance.now()));',
    'return false;',
    test('limits/admission'),
  ),
  ownTransactions(
    'Uploads use all connections of the database',
    'await runSteps(context, [withSlot([run])]);',
    'await run(context);',
    test('limits/busy-database'),
  ),
  steps(
    'One tenant uploads any number of files at once',
    'withFileSlot(concurrency.uploads, [withUpload(handler, handlerDependencies, [...reauthorize, ...afterInput])])',
    'withUpload(handler, handlerDependencies, [...reauthorize, ...afterInput])',
    test('limits/file-transfers'),
  ),
  steps(
    'One tenant downloads any number of files at once',
    'withFileSlot(concurrency.downloads, [read, ...reauthorize, ...afterInput])',
    'read, ...reauthorize, ...afterInput',
    test('limits/file-transfers'),
  ),
  storage(
    'Downloads use all connections to the storage',
    'await downloads.send(',
    'await client.send(',
    'packages/storage/test/s3.test.ts',
  ),
  sending(
    'Responses that no client reads fill the memory',
    '  if (bytes > 0) context.outboundBuffer.track(response, bytes, caller && tenantKey(caller));\n',
    '',
    test('limits/outbound-buffer'),
  ),
  steps(
    'A client that does not read its responses keeps sending requests',
    '    loadCaller(authenticator),\n    limitOutboundBuffer(concurrency.outboundBuffer),\n',
    '    loadCaller(authenticator),\n',
    test('limits/outbound-buffer'),
  ),
  steps(
    'A tenant exceeds its outbound buffer limit with requests sent at once',
    '[limitOutboundBuffer(concurrency.outboundBuffer), ...steps]',
    '[...steps]',
    test('limits/outbound-buffer'),
  ),
  outboundBuffer(
    'A client holds a response open forever by reading slowly',
    '() => socket.destroy()',
    '() => undefined',
    test('limits/outbound-buffer'),
  ),
  batch(
    'A batch fills the memory with a hundred large responses',
    'if (!isWrite && total > 0 && total + bytes > maxBytes) throw tooLarge();',
    '',
    test('security/large-inputs'),
  ),
  trpcCall(
    'A batch whose response is full goes on changing data',
    '    this.#batchSize?.assertNotFull();\n',
    '',
    test('security/large-inputs'),
  ),
];
