import type { UploadRow } from './catalog.ts';
import { findUpload, partsOf } from './multipart.ts';
import { requireBucket, type Operation } from './operation.ts';
import { element, result } from './xml.ts';

const longestPage = 1000;

/** ListMultipartUploads: the oldest thousand uploads that were begun and neither completed nor aborted. */
export const listUploads: Operation = (request, store) => {
  requireBucket(request, store);
  const prefix = request.query['prefix'] ?? '';
  const rows = store.catalog.sql`select * from upload
    where bucket = ${request.bucket} and substr(key, 1, length(${prefix})) = ${prefix} order by startedAt, id limit ${longestPage + 1}`.all<UploadRow>();
  const uploads = rows
    .slice(0, longestPage)
    .map(({ id, key, startedAt }) =>
      element('Upload', element('Key', key), element('UploadId', id), element('Initiated', new Date(startedAt).toISOString())),
    );
  const truncated = element('IsTruncated', rows.length > longestPage);
  return { status: 200, body: result('ListMultipartUploadsResult', element('Bucket', request.bucket), truncated, ...uploads) };
};

/** ListParts: all of them on one page. */
export const listParts: Operation = (request, store) => {
  const upload = findUpload(request, store);
  const parts = partsOf(store, upload.id).map(({ number, modifiedAt, etag, size }) =>
    element(
      'Part',
      element('PartNumber', number),
      element('LastModified', new Date(modifiedAt).toISOString()),
      element('ETag', `"${etag}"`),
      element('Size', size),
    ),
  );
  const names = [element('Bucket', upload.bucket), element('Key', upload.key), element('UploadId', upload.id)];
  return { status: 200, body: result('ListPartsResult', ...names, element('IsTruncated', false), ...parts) };
};
