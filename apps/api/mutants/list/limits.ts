import { removeCall, replace } from '../changes.ts';
import { mutant, type Mutant } from '../mutant.ts';

const test = (name: string): string => `apps/api/test/${name}.test.ts`;

/** Rate limits, concurrency limits, and limits on memory. */
export const limits: readonly Mutant[] = [
  mutant('A caller sends requests without a limit', replace('RateLimit.#status', 'count > quota', 'false'), test('limits/caller')),
  mutant("One caller uses up every user's rate limit", replace('callerKey', '`user:${sub}`', "'user'"), test('limits/caller')),
  mutant(
    'A client escapes the address limit by changing X-Forwarded-For',
    replace('addressKey', 'trust ? _ : peer', 'withoutPort(proxyAddr(request, trust ?? (() => true)))'),
    test('limits/address'),
  ),
  mutant(
    'A caller creates users at the rate of ordinary requests',
    removeCall('admit', 'limitRate(_, rateLimits.identity, _)'),
    test('limits/caller'),
  ),
  mutant(
    'A client tries a hundred tokens in one batch, which counts as one request',
    replace('createTrpc', 'count(..._, others)', 'undefined'),
    test('limits/batches'),
  ),
  mutant(
    'A client sends thousands of calls in one batch',
    replace('parseCalls', 'names.length > maxCallsPerRequest', 'false'),
    test('limits/batches'),
  ),
  mutant(
    'One tenant uses all database connections',
    replace('createConcurrencyLimits.database', 'maxPerTenant: Math.ceil(_max / 2)', 'maxPerTenant: _max'),
    test('limits/busy-database'),
  ),
  mutant(
    'Each user of a tenant gets the concurrency limit of a whole tenant',
    replace('tenantKey', 'keyOfTenant(_)', 'callerKey(caller.kind, caller.claims)'),
    test('limits/busy-database'),
  ),
  mutant(
    'A failing request or upload keeps its slot forever',
    replace('useSlot', 'result.finally(release)', 'result.then((value) => (release(), value))'),
    test('limits/busy-database'),
  ),
  mutant(
    'A tenant with many requests delays those of all others',
    removeCall('Admission.#release', 'this.#turns.delete'),
    test('limits/admission'),
  ),
  mutant(
    'One tenant fills the queue of waiting requests',
    replace('Admission.#isFullFor', 'waiting >= this.#maxWaiting - this.#waiting', 'this.#waiting >= this.#maxWaiting'),
    test('limits/load-shedding'),
  ),
  mutant(
    'Requests wait for seconds in an overload',
    replace('Admission.#isFullFor', 'waiting >= Math.max(..._)', 'false'),
    test('limits/admission'),
  ),
  mutant(
    'Uploads use all connections of the database',
    replace('runOutside', 'withDatabaseSlot(_, _, authorization, _, _work)', '(_work)(authorization)'),
    test('limits/busy-database'),
  ),
  mutant(
    'One tenant uploads any number of files at once',
    replace('runUpload', 'withFileSlot(..._, _work)', '(_work)()'),
    test('limits/file-transfers'),
  ),
  mutant(
    'One tenant downloads any number of files at once',
    replace('runDownload', 'withFileSlot(..._, _work)', '(_work)()'),
    test('limits/file-transfers'),
  ),
  mutant(
    'Downloads use all connections to the storage',
    replace('createS3Storage.open', 'downloads', 'client'),
    'packages/storage/test/s3.test.ts',
  ),
  mutant('Responses that no client reads fill the memory', removeCall('http/send', 'track'), test('limits/outbound-buffer')),
  mutant(
    'A client that does not read its responses keeps sending requests',
    removeCall('admit', 'limitOutboundBuffer'),
    test('limits/outbound-buffer'),
  ),
  mutant(
    'A tenant exceeds its outbound buffer limit with requests sent at once',
    removeCall('withDatabaseSlot', 'limitOutboundBuffer'),
    test('limits/outbound-buffer'),
  ),
  mutant(
    'A client holds a response open forever by reading slowly',
    replace('OutboundBufferLimit.track', 'socket.destroy()', 'undefined'),
    test('limits/outbound-buffer'),
  ),
  mutant(
    'A batch fills the memory with a hundred large responses',
    replace('createBatchSize.add', 'total + bytes > maxBytes', 'false'),
    test('security/large-inputs'),
  ),
  mutant(
    'A batch whose response is full goes on changing data',
    removeCall('TrpcRequest.beforeHandler', 'assertNotFull'),
    test('security/large-inputs'),
  ),
];
