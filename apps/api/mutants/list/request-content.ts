import { remove, replace } from '../changes.ts';
import { mutant, type Mutant } from '../mutant.ts';

const test = (name: string): string => `apps/api/test/${name}.test.ts`;

/** Requests that two parsers read differently, and content that runs in a browser. */
export const requestContent: readonly Mutant[] = [
  mutant(
    'A request with two Authorization headers is served with the first one',
    replace('createHttpServer', 'joinDuplicateHeaders: true', 'joinDuplicateHeaders: false'),
    test('security/headers'),
  ),
  mutant(
    'A JSON body with a repeated key is served with the last value',
    replace('addKey', 'keys.size === _', 'false'),
    test('transports/bodies'),
  ),
  mutant(
    'An uploaded file runs scripts in the browser that opens it',
    remove('download/sendFile', "'content-security-policy': _"),
    test('security/uploads'),
  ),
  mutant(
    'A user uploads an HTML page as an image',
    replace('createAttachmentFiles', 'requireSignature(_content, _)', '_content'),
    test('security/uploads'),
  ),
  mutant(
    'A storage key refers to a file outside the storage folder',
    replace('folder/pathOf', "key.split('/').every(isKeySegment)", 'true'),
    'packages/storage/test/folder.test.ts',
  ),
  mutant(
    'A contact URL runs a script in the browser of the user who opens it',
    replace('isScriptUrl', '/^(javascript|vbscript|data):/i', '/^(vbscript|data):/i'),
    test('resources/organization-contacts'),
  ),
];
