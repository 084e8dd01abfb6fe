import { inFile, type Mutant } from '../mutant.ts';

const keys = inFile('apps/api/src/limits/keys.ts');
const limit = inFile('apps/api/src/limits/limit.ts');
const operation = inFile('apps/api/src/operation/operation.ts');
const trpc = inFile('apps/api/src/http/trpc.ts');
const server = inFile('apps/api/src/http/server.ts');
const body = inFile('apps/api/src/http/body.ts');
const download = inFile('apps/api/src/http/download.ts');
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
    'if (row.reachesIdentityProvider) await deps.limits.identity?.(callerKey(caller), call.onStanding);',
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
  server(
    'of two Authorization headers the first counts',
    'joinDuplicateHeaders: true',
    'joinDuplicateHeaders: false',
    test('hostile/headers'),
  ),
  body('of a key given twice the last counts', 'if (hasRepeatedKeys(text, value)) throw', 'if (false) throw', test('hostile/bodies')),
  download(
    'what is uploaded runs in the browser of whoever opens it',
    "    'content-security-policy': contentPolicy,\n",
    '',
    test('hostile/polyglots'),
  ),
  files('a page is uploaded as a picture', 'of requireBeginning(content, type)) {', 'of content) {', test('hostile/polyglots')),
  contacts(
    'a contact runs in the browser of whoever follows it',
    '/^(javascript|vbscript|data):/i',
    '/^(vbscript|data):/i',
    test('organization-contacts'),
  ),
];
