import { inFile, type Mutant } from '../mutant.ts';

const keys = inFile('apps/api/src/limits/keys.ts');
const concurrencyLimit = inFile('apps/api/src/limits/concurrency-limit.ts');
const concurrencyLimits = inFile('apps/api/src/limits/concurrency-limits.ts');
const outboundBuffer = inFile('apps/api/src/limits/outbound-buffer-limit.ts');
const rateLimit = inFile('apps/api/src/limits/rate-limit.ts');
const operation = inFile('apps/api/src/operation/operation.ts');
const trpc = inFile('apps/api/src/transports/trpc/trpc.ts');
const exchange = inFile('apps/api/src/transports/http/exchange.ts');
const batch = inFile('apps/api/src/transports/trpc/batch-size.ts');
const storage = inFile('apps/api/src/integrations/storage/storage.ts');

const test = (name: string): string => `apps/api/test/${name}.test.ts`;

/** Rate limits, concurrency limits, and limits on memory. */
export const limits: readonly Mutant[] = [
  rateLimit('A caller sends requests without a limit', 'isOver: consumedPoints > quota,', 'isOver: false,', test('limits/caller')),
  keys("One caller uses up every user's rate limit", '`user:${caller.userId}`', "'user'", test('limits/caller')),
  keys(
    'A client escapes the address limit by changing X-Forwarded-For',
    'const said = trust ? withoutPort(proxyAddr(request, trust)) : nearest;',
    'const said = withoutPort(proxyAddr(request, trust ?? (() => true)));',
    test('limits/address'),
  ),
  operation(
    'A caller creates users at the rate of ordinary requests',
    'if (endpoint.reachesIdentityProvider) await deps.limits.identity?.(callerKey(caller), call.onStanding);',
    '',
    test('limits/caller'),
  ),
  trpc(
    'A client tries a hundred tokens in one batch at the price of one request',
    'if (others > 0) await admit(request, exchange, others).catch(refuse);',
    '',
    test('limits/batches'),
  ),
  trpc('A client sends thousands of calls in one batch', '          maxBatchSize: mostCalls,\n', '', test('limits/batches')),
  concurrencyLimits(
    'One tenant uses all connections of the database',
    'Math.ceil(settings.DATABASE_POOL_MAX / 2)',
    'settings.DATABASE_POOL_MAX',
    test('limits/busy-database'),
  ),
  keys(
    'Each user of a tenant gets the concurrency limit of a whole tenant',
    '`tenant:${tenantId}`',
    'callerKey(caller)',
    test('limits/busy-database'),
  ),
  concurrencyLimit(
    'A failing request keeps its slot forever',
    '    try {\n      return await work(isFull);\n    } finally {\n      this.#pass(holder, holding);\n    }',
    '    const done = await work(isFull);\n    this.#pass(holder, holding);\n    return done;',
    test('limits/busy-database'),
  ),
  operation(
    'Uploads use all connections of the database',
    'inTurn((who) => transactionOf(who)(work))',
    'transactionOf(caller)(work)',
    test('limits/busy-database'),
  ),
  operation(
    'One tenant uploads any number of files at once',
    'return deps.concurrency.uploads.run(tenantKey(caller), () => withFiles(handler.receive, deps.services, rest));',
    'return withFiles(handler.receive, deps.services, rest);',
    test('security/revoked-while-uploading'),
  ),
  operation(
    'One tenant downloads any number of files at once',
    "if (endpoint.media === 'download') return deps.concurrency.downloads.run(tenantKey(caller), () => rest(noFile));",
    "if (endpoint.media === 'download') return rest(noFile);",
    test('security/revoked-while-uploading'),
  ),
  storage(
    'Downloads use all connections to the storage',
    'await downloads.send(',
    'await client.send(',
    test('security/revoked-while-uploading'),
  ),
  exchange(
    'Responses that no client reads fill the memory',
    '  outboundBuffer.track(response, bytes, caller && tenantKey(caller));\n',
    '',
    test('limits/outbound-buffer'),
  ),
  operation(
    'A client that does not read its responses keeps sending requests',
    '    deps.concurrency.outboundBuffer.assertBelowLimit(tenantKey(caller));\n',
    '',
    test('limits/outbound-buffer'),
  ),
  operation(
    'A tenant exceeds its outbound buffer limit with requests sent at once',
    '      outboundBuffer.assertBelowLimit(holder);\n',
    '',
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
    'if (!isDone && total > 0 && total + bytes > mostBytes) throw tooLarge();',
    '',
    test('security/large-inputs'),
  ),
  trpc('A batch whose response is full goes on changing data', '          onTurn: batch?.refuseMore,\n', '', test('security/large-inputs')),
];
