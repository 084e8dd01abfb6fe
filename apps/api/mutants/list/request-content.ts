import { inFile, type Mutant } from '../mutant.ts';

const server = inFile('apps/api/src/transports/http/server.ts');
const jsonCheck = inFile('apps/api/src/transports/http/check-json.ts');
const download = inFile('apps/api/src/transports/rest/download.ts');
const storageKeys = inFile('packages/storage/src/folder/keys.ts');
const files = inFile('apps/api/src/resources/attachment-files.ts');
const contacts = inFile('packages/contracts/src/organization-contacts.ts');

const test = (name: string): string => `apps/api/test/${name}.test.ts`;

/** Requests that two parsers read differently, and content that runs in a browser. */
export const requestContent: readonly Mutant[] = [
  server(
    'A request with two Authorization headers is served with the first one',
    'joinDuplicateHeaders: true',
    'joinDuplicateHeaders: false',
    test('security/headers'),
  ),
  jsonCheck(
    'A JSON body with a repeated key is served with the last value',
    'if (keys.size === keys.add(key).size) throw',
    'if (keys.add(key).size < 0) throw',
    test('security/bodies'),
  ),
  download(
    'An uploaded file runs scripts in the browser that opens it',
    "    'content-security-policy': contentSecurityPolicy,\n",
    '',
    test('security/polyglots'),
  ),
  files('A user uploads an HTML page as an image', 'of requireSignature(content, type)) {', 'of content) {', test('security/polyglots')),
  storageKeys(
    'A storage key refers to a file outside the storage folder',
    "  if (!key.split('/').every(isKeySegment)) throw new Error(`Not a key of this storage: ${JSON.stringify(key)}`);\n",
    '',
    'packages/storage/test/folder.test.ts',
  ),
  contacts(
    'A contact URL runs a script in the browser of the user who opens it',
    '/^(javascript|vbscript|data):/i',
    '/^(vbscript|data):/i',
    test('resources/organization-contacts'),
  ),
];
