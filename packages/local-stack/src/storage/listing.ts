import type { ObjectRow } from './catalog.ts';
import { readText } from './body.ts';
import { StorageError } from './errors.ts';
import { removeObject } from './objects.ts';
import { requireBucket, type Operation } from './operation.ts';
import { element, elements, parseDocument, result, textOf } from './xml.ts';

const longestPage = 1000;
const last = '\u{10ffff}';

/** ListObjectsV2: keys in the order of their UTF-8 bytes; the token of the next page is the last key of this one. */
export const listObjects: Operation = (request, store) => {
  requireBucket(request, store);
  const { bucket, query } = request;
  if (query['delimiter']) throw new StorageError('NotImplemented', 'delimiter is not served here.');
  const size = pageSize(query['max-keys']);
  const prefix = query['prefix'] ?? '';
  const token = query['continuation-token'];
  const after = token === undefined ? (query['start-after'] ?? '') : Buffer.from(token, 'base64url').toString();
  const rows = store.catalog.sql`select * from object
    where bucket = ${bucket} and key >= ${prefix} and key < ${prefix + last} and key > ${after} order by key limit ${size + 1}`.all<ObjectRow>();
  const page = rows.slice(0, size);
  const next = rows.length > size ? page.at(-1)?.key : undefined;
  const name = (key: string) => (query['encoding-type'] === 'url' ? encodeURIComponent(key) : key);
  const body = result(
    'ListBucketResult',
    element('Name', bucket),
    element('Prefix', name(prefix)),
    element('MaxKeys', size),
    element('KeyCount', page.length),
    element('IsTruncated', next !== undefined),
    ...(query['encoding-type'] === undefined ? [] : [element('EncodingType', query['encoding-type'])]),
    ...(next === undefined ? [] : [element('NextContinuationToken', Buffer.from(next).toString('base64url'))]),
    ...page.map((object) =>
      element(
        'Contents',
        element('Key', name(object.key)),
        element('LastModified', new Date(object.modifiedAt).toISOString()),
        element('ETag', `"${object.etag}"`),
        element('Size', object.size),
        element('StorageClass', 'STANDARD'),
      ),
    ),
  );
  return { status: 200, body };
};

export const deleteObjects: Operation = async (request, store) => {
  requireBucket(request, store);
  const order = parseDocument(await readText(request), 'Delete');
  const keys = elements(order, 'Object').map((entry) => textOf(entry, 'Key'));
  if (keys.length > longestPage) throw new StorageError('MalformedXML', `At most ${longestPage} objects are deleted at once.`);
  for (const key of keys) await removeObject(store, request.bucket, key);
  const deleted = order['Quiet'] === 'true' ? [] : keys.map((key) => element('Deleted', element('Key', key)));
  return { status: 200, body: result('DeleteResult', ...deleted) };
};

function pageSize(wanted = String(longestPage)): number {
  if (!/^\d{1,9}$/.test(wanted)) throw new StorageError('InvalidArgument', 'max-keys is no number.');
  return Math.min(Number(wanted), longestPage);
}
