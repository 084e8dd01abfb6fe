import { inFile, type Mutant } from '../mutant.ts';

const keys = inFile('apps/api/src/limits/keys.ts');
const share = inFile('apps/api/src/limits/concurrency-limit.ts');
const shares = inFile('apps/api/src/limits/concurrency-limits.ts');
const unread = inFile('apps/api/src/limits/outbound-buffer-limit.ts');
const limit = inFile('apps/api/src/limits/rate-limit.ts');
const operation = inFile('apps/api/src/operation/operation.ts');
const trpc = inFile('apps/api/src/transports/trpc/trpc.ts');
const exchange = inFile('apps/api/src/transports/http/exchange.ts');
const batch = inFile('apps/api/src/transports/trpc/batch-size.ts');
const storage = inFile('apps/api/src/integrations/storage/s3/s3-storage.ts');
const storageKeys = inFile('apps/api/src/integrations/storage/folder/keys.ts');
const server = inFile('apps/api/src/transports/http/server.ts');
const body = inFile('apps/api/src/transports/http/body.ts');
const download = inFile('apps/api/src/transports/rest/download.ts');
const files = inFile('apps/api/src/resources/attachment-files.ts');
const contacts = inFile('packages/contracts/src/organization-contacts.ts');

const test = (name: string): string => `apps/api/test/${name}.test.ts`;

/** What hostile callers try beside reaching for another tenant: to ask without end, to be read in two ways, to run in somebody's browser. */
export const noise: readonly Mutant[] = [
  limit('nobody is ever asked to wait', 'isOver: consumedPoints > quota,', 'isOver: false,', test('limits/caller')),
  keys('one caller uses up what all may ask', '`user:${caller.userId}`', "'user'", test('limits/caller')),
  keys(
    'whoever names another address in X-Forwarded-For is another one',
    'const said = trust ? withoutPort(proxyAddr(request, trust)) : nearest;',
    'const said = withoutPort(proxyAddr(request, trust ?? (() => true)));',
    test('limits/address'),
  ),
  operation(
    'people are created as fast as anything is asked for',
    'if (endpoint.reachesIdentityProvider) await deps.limits.identity?.(callerKey(caller), call.onStanding);',
    '',
    test('limits/caller'),
  ),
  trpc(
    'an address tries a hundred tokens for one in a batch',
    'if (others > 0) await admit(request, exchange, others).catch(refuse);',
    '',
    test('limits/batches'),
  ),
  trpc('a batch has thousands of calls', '          maxBatchSize: mostCalls,\n', '', test('limits/batches')),
  shares(
    'one tenant uses all connections of the database',
    'Math.ceil(settings.DATABASE_POOL_MAX / 2)',
    'settings.DATABASE_POOL_MAX',
    test('limits/busy-database'),
  ),
  keys('each person of a tenant has a share like its own', '`tenant:${tenantId}`', 'callerKey(caller)', test('limits/busy-database')),
  share(
    "what fails takes a part of its tenant's share along",
    '    try {\n      return await work(isFull);\n    } finally {\n      this.#pass(holder, holding);\n    }',
    '    const done = await work(isFull);\n    this.#pass(holder, holding);\n    return done;',
    test('limits/busy-database'),
  ),
  operation(
    'uploads use all connections of the database',
    'inTurn((who) => transactionOf(who)(work))',
    'transactionOf(caller)(work)',
    test('limits/busy-database'),
  ),
  operation(
    'one tenant uploads as many files at once as it likes',
    'return deps.concurrency.uploads.run(tenantKey(caller), () => withFiles(handler.receive, deps.services, rest));',
    'return withFiles(handler.receive, deps.services, rest);',
    test('security/revoked-while-uploading'),
  ),
  operation(
    'one tenant downloads as many files at once as it likes',
    "if (endpoint.media === 'download') return deps.concurrency.downloads.run(tenantKey(caller), () => rest(noFile));",
    "if (access.media === 'download') return rest(noFile);",
    test('security/revoked-while-uploading'),
  ),
  storage('downloads use all connections to the storage', 'await downloads.send(', 'await client.send(', test('integrations/storage/s3')),
  storageKeys(
    'a key leads out of the storage folder',
    "  if (!key.split('/').every(isPartOfKey)) throw new Error(`Not a key of this storage: ${JSON.stringify(key)}`);\n",
    '',
    test('integrations/storage/folder'),
  ),
  exchange(
    'answers that nobody reads fill the memory',
    '  outboundBuffer.track(response, bytes, caller && tenantKey(caller));\n',
    '',
    test('limits/outbound-buffer'),
  ),
  operation(
    'who reads nothing asks on',
    '    deps.concurrency.outboundBuffer.assertBelowLimit(tenantKey(caller));\n',
    '',
    test('limits/outbound-buffer'),
  ),
  operation(
    'who asks for all at once is given all of it',
    '      outboundBuffer.assertBelowLimit(holder);\n',
    '',
    test('limits/outbound-buffer'),
  ),
  unread('an answer that drips never ends', '() => socket.destroy()', '() => undefined', test('limits/outbound-buffer')),
  batch(
    'a batch fills the memory with a hundred large answers',
    'if (!isDone && total > 0 && total + bytes > mostBytes) throw tooLarge();',
    '',
    test('security/large-inputs'),
  ),
  trpc('a batch that is full goes on with its changes', '          onTurn: batch?.refuseMore,\n', '', test('security/large-inputs')),
  server(
    'of two Authorization headers the first counts',
    'joinDuplicateHeaders: true',
    'joinDuplicateHeaders: false',
    test('security/headers'),
  ),
  body('of a key given twice the last counts', 'if (hasRepeatedKeys(text, value)) throw', 'if (false) throw', test('security/bodies')),
  download(
    'what is uploaded runs in the browser of whoever opens it',
    "    'content-security-policy': contentPolicy,\n",
    '',
    test('security/polyglots'),
  ),
  files('a page is uploaded as a picture', 'of requireBeginning(content, type)) {', 'of content) {', test('security/polyglots')),
  contacts(
    'a contact runs in the browser of whoever follows it',
    '/^(javascript|vbscript|data):/i',
    '/^(vbscript|data):/i',
    test('resources/organization-contacts'),
  ),
];
