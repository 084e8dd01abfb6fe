import { randomBytes } from 'node:crypto';
import { parse } from 'content-disposition';
import { describe, expect, test } from 'vitest';
import { content, form, lookInto, pdf, rawForm, upload } from '../support/files.ts';
import type { Attachment } from '../support/records.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { maxFileBytes, useWorld } from '../support/world.ts';

/** Valid and invalid forms. security/uploads.test.ts tests malicious ones. */
const world = useWorld();
const member = useMember(world, useTenant(world), 'coordinator');

const mib = 1024 * 1024;
const boundary = 'x-boundary';
const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` };
const filePart = 'content-disposition: form-data; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf';
/** Parts that are neither a field nor a file. */
const ignoredParts = (count: number) => Array.from({ length: count }, (): [string, string] => ['x-ignored: yes', '']);
const field = (name: string) => `content-disposition: form-data; name="${name}"`;
const post = (body: unknown, headers?: Record<string, string>) => world.call<Attachment>(member, 'POST /api/attachments', body, headers);

/** Sends the form and checks the rejection, and that nothing was stored. */
async function expectRejection(status: number, code: string, body: unknown, headers?: Record<string, string>) {
  const storage = lookInto(world);
  const state = async () => [await storage.keys(), await storage.openUploads(), await world.sql('select count(*) from attachments')];
  const before = await state();
  const answer = await post(body, headers);
  expect([answer.status, answer.code, await state()]).toEqual([status, code, before]);
  return answer;
}

describe('a form', () => {
  // Rules: ATTACHMENTS-4
  test.each([
    ['no body', undefined, undefined],
    ['no parts', rawForm(boundary), multipart],
    ['only fields', form(['description', 'x']), undefined],
    ['a file in another part', form(['upload', pdf()]), undefined],
    ['text instead of the file', form(['file', 'text']), undefined],
    ['a file part without a name', rawForm(boundary, ['content-disposition: form-data; filename="a.pdf"', '%PDF-1.7']), multipart],
  ])('with %s is rejected with FILE_REQUIRED', async (_what, body, headers) => {
    await expectRejection(400, 'FILE_REQUIRED', body, headers);
  });

  test.each([
    ['two files', 'file', form(['file', pdf()], ['file', pdf()])],
    ['a second file in another part', 'other', form(['file', pdf()], ['other', pdf()])],
    ['a field twice', 'description', form(['description', 'x'], ['description', 'y'], ['file', pdf()])],
    ['a field twice, the second after the file', 'description', form(['description', 'x'], ['file', pdf()], ['description', 'y'])],
    ['a wrong entityType', 'entityType', form(['file', pdf()], ['entityType', 'PHOTO'])],
    ['a wrong entityId', 'entityId', form(['entityId', '42'], ['file', pdf()])],
    ['NUL in a field', 'description', form(['file', pdf()], ['description', 'a\u0000b'])],
    ['seventeen fields', '', form(...Array.from({ length: 17 }, (_, index): [string, string] => [`f${index}`, '']), ['file', pdf()])],
  ])('with %s is rejected with VALIDATION_FAILED', async (_what, path, body) => {
    expect((await expectRejection(400, 'VALIDATION_FAILED', body)).body).toMatchObject({ errors: [{ path }] });
  });

  const whole = rawForm(boundary, [field('description'), 'x'], [filePart, content('application/pdf', 20_000)]);
  test.each([
    ['truncated inside the file', whole.subarray(0, 10_000)],
    ['truncated inside the headers of a part', whole.subarray(0, 30)],
    ['truncated before its end', whole.subarray(0, -8)],
    ['truncated after a storage part of 5 MiB', rawForm(boundary, [filePart, content('application/pdf', 5.5 * mib)]).subarray(0, -8)],
    ['without a boundary', whole, { 'content-type': 'multipart/form-data' }],
    [
      'with a field that is not UTF-8',
      rawForm(boundary, [field('description'), Buffer.from('fun\xe7\xe3o', 'latin1')], [filePart, content()]),
    ],
    [
      'with a field in an unknown charset',
      rawForm(boundary, [`${field('description')}\r\ncontent-type: text/plain; charset=x`, 'x'], [filePart, content()]),
    ],
    ['with a part without a valid header', rawForm(boundary, ['no header', 'x'])],
    ['with 17 ignored parts before the file', rawForm(boundary, ...ignoredParts(17), [filePart, content()])],
    ['with 17 ignored parts after the file', rawForm(boundary, [filePart, content()], ...ignoredParts(17))],
    ['with random bytes as content', randomBytes(50_000)],
  ])('%s is rejected with VALIDATION_FAILED', async (_what, body, headers = multipart) => {
    await expectRejection(400, 'VALIDATION_FAILED', body, headers);
  });

  // Rules: INPUT-2
  test.each([
    ['the bare file', content(), { 'content-type': 'application/pdf' }],
    ['text', 'file=x', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another multipart', rawForm(boundary), { 'content-type': `multipart/mixed; boundary=${boundary}` }],
    ['compressed', rawForm(boundary, [filePart, '%PDF-1.7']), { ...multipart, 'content-encoding': 'gzip' }],
  ])('%s is rejected with UNSUPPORTED_MEDIA_TYPE', async (_what, body, headers) => {
    await expectRejection(415, 'UNSUPPORTED_MEDIA_TYPE', body, headers);
  });

  test('can have 17 parts, a preamble, an epilogue, and a content type in any case with parameters', async () => {
    const head = filePart.replace('application/pdf', 'Application/PDF; version=1.7');
    const parts = rawForm(boundary, ...ignoredParts(16), [head, content()]);
    const padded = Buffer.concat([Buffer.from('preamble\r\n'), parts, Buffer.from('epilogue')]);
    expect(await post(padded, multipart)).toMatchObject({ status: 201, body: { filePath: expect.stringMatching(/\.pdf$/) } });
  });
});

describe('the size', () => {
  // Rules: ATTACHMENTS-7, LIMITS-4
  test('of a file over the limit is rejected with PAYLOAD_TOO_LARGE, also without Content-Length, and the connection stays usable', async () => {
    for (const more of [1, 10 * mib]) {
      await expectRejection(413, 'PAYLOAD_TOO_LARGE', form(['file', pdf('a.pdf', maxFileBytes + more)]));
      expect((await upload(world, member, {}, pdf('a.pdf', maxFileBytes))).status).toBe(201);
    }
    const body = new Blob([rawForm(boundary, [filePart, content('application/pdf', maxFileBytes + 1)])]).stream();
    const init = { method: 'POST', headers: { ...multipart, authorization: `Bearer ${member.token}` }, body, duplex: 'half' as const };
    expect((await fetch(`${world.service.url}/api/attachments`, init)).status).toBe(413);
    expect(await lookInto(world).openUploads()).toEqual([]);
  });

  test('of a field, and of ignored parts, is limited', async () => {
    await expectRejection(413, 'PAYLOAD_TOO_LARGE', form(['description', 'x'.repeat(64 * 1024 + 1)], ['file', pdf()]));
    expect((await upload(world, member, { unknown: 'x'.repeat(64 * 1024) })).status).toBe(201);
    const ignored = Array.from({ length: 900 }, (): [string, Buffer] => ['x-header: x', Buffer.alloc(10_000)]);
    await expectRejection(413, 'PAYLOAD_TOO_LARGE', rawForm(boundary, ...ignored), multipart);
  });
});

describe('the content type', () => {
  // Rules: ATTACHMENTS-5
  test.each([
    ['image/svg+xml', '<svg/>'],
    ['application/octet-stream', content()],
    ['application/pdf', content('image/png')],
    ['application/pdf', `${' '.repeat(1_025)}%PDF-1.7`],
    ['application/pdf', '\0%PDF-1.7'],
    ['application/pdf', '%PDF'],
    ['image/png', content('image/jpeg')],
    ['image/png', ''],
    ['image/jpg', content('image/png')],
    ['image/jpeg', '\xff\xd8'],
    ['image/webp', 'RIFF\x00\x00\x00\x00WAVEfmt '],
    ['image/png', '<html>'.repeat(2_000_000).slice(0, 6_000_000)],
  ])('%s is rejected with InvalidAttachmentTypeError if it is not allowed or does not match the file', async (type, bytes) => {
    const file = new File([bytes], 'a.pdf', { type });
    await expectRejection(400, 'InvalidAttachmentTypeError', form(['file', file]));
  });
});

describe('the file name', () => {
  // Rules: ATTACHMENTS-11
  test.each([
    ['quotes', 'the "final" one\'s.pdf', 'the "final" one\'s.pdf'],
    ['line breaks', 'a\r\nx-evil: 1\r\n\r\nb.pdf', 'a x-evil: 1 b.pdf'],
    ['a path', '../../etc/passwd.pdf', 'passwd.pdf'],
    ['a Windows path', 'C:\\fakepath\\a.pdf', 'a.pdf'],
    ['emoji and accents', '🧑‍🌾 Café – São João.pdf', '🧑‍🌾 Café – São João.pdf'],
    ['percent signs and semicolons', '100%25 %41;b=c.pdf', '100%25 %41;b=c.pdf'],
    ['300 emoji', `${'🌾'.repeat(296)}.pdf`, `${'🌾'.repeat(296)}.pdf`],
    ['600 characters', `${'a'.repeat(596)}.pdf`, `${'a'.repeat(508)}.pdf`],
    ['direction marks', 'invoice\u202Efdp\u200E\u200F\u061C.pdf', 'invoice fdp .pdf'],
    ['only dots', '..', 'file.pdf'],
    ['only a path', 'a/', 'file.pdf'],
  ])('with %s is returned safely', async (_what, name, kept) => {
    const { status, body } = await upload(world, member, {}, pdf(name));
    expect(status).toBe(201);
    expect(body.originalFilename).toBe(kept);
    const { headers } = await world.call(member, `GET /api/attachments/${body.id}`);
    expect(headers.get('x-evil')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(parse(headers.get('content-disposition') ?? '')).toMatchObject({ type: 'attachment', parameters: { filename: kept } });
  });
});
