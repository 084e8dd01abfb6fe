import { describe, expect, test } from 'vitest';
import { beginnings, content, type FileType, lookInto, rawForm, upload } from '../support/files.ts';
import type { Attachment } from '../support/records.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

/** Forms and files that an attacker could send. resources/attachments-form.test.ts has invalid and unusual ones. */
const world = useWorld();
const member = useMember(world, useTenant(world), 'coordinator');

const boundary = 'x-boundary';
const formType = (text = boundary) => ({ 'content-type': `multipart/form-data; boundary=${text}` });
const file = (parameters = '', ...lines: string[]) =>
  [`content-disposition: form-data; name="file"; filename="a.pdf"${parameters}`, 'content-type: application/pdf', ...lines].join('\r\n');
const field = (name: string, ...lines: string[]) => [`content-disposition: form-data; name="${name}"`, ...lines].join('\r\n');
const post = (body: Buffer<ArrayBuffer>, headers: Record<string, string> = formType()) =>
  world.call<Attachment>(member, 'POST /api/attachments', body, headers);
const stored = async () => [await lookInto(world).keys(), await lookInto(world).openUploads()];

describe('a form is rejected, and nothing is stored:', () => {
  const whole = (head: string, body: string | Buffer = content()) => rawForm(boundary, [head, body]);
  const bare = (text: string) => Buffer.from(text);
  // Larger than the buffer of the parser.
  const large: [string, Buffer] = [file(), content('application/pdf', 200_000)];
  test.each<[string, Buffer<ArrayBuffer>, Record<string, string>?]>([
    ['a part whose headers have 100 kB', whole(file('', `x-long: ${'x'.repeat(100_000)}`))],
    ['a part with thousands of headers', whole(file('', ...Array.from({ length: 5_000 }, () => 'x: y')))],
    ['a part without headers', bare(`--${boundary}\r\n\r\n%PDF-1.7\r\n--${boundary}--\r\n`)],
    [
      'a part with another Content-Disposition',
      whole('content-disposition: attachment; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf'),
    ],
    ['a file in base64', whole(file('', 'content-transfer-encoding: base64'), content().toString('base64'))],
    [
      'a nested multipart form',
      whole(field('file', 'content-type: multipart/mixed; boundary=inner'), rawForm('inner', [file(), content()])),
    ],
    ['lines that end in LF only', bare(`--${boundary}\n${file().replaceAll('\r', '')}\n\n%PDF-1.7 tiny\n--${boundary}--\n`)],
    ['an empty boundary', whole(file()), formType('')],
    ['a boundary of 1,000 characters', whole(file()), formType('b'.repeat(1_000))],
    ['the end of the form before the file', Buffer.concat([bare(`--${boundary}--\r\n`), whole(file())])],
    ['a large file after a repeated field', rawForm(boundary, [field('a'), ''], [field('a'), ''], large)],
    ['a large file after another file', rawForm(boundary, [file().replace('"file"', '"other"'), content()], large)],
    ['two fields without a name', rawForm(boundary, ['content-disposition: form-data', ''], ['content-disposition: form-data', ''], large)],
    ['two types in one Content-Type', whole(file()), { 'content-type': `application/json, ${formType()['content-type']}` }],
  ])('%s', async (_what, body, headers) => {
    const before = await stored();
    const { status } = await post(body, headers);
    expect([400, 415]).toContain(status);
    expect(await stored()).toEqual(before);
  });
});

test('form fields that the service sets, or with names of object properties, are ignored', async () => {
  const columns = ['id', 'userId', 'tenantId', 'filePath', 'originalFilename', 'external', 'contentType', 'size', 'deletedAt'];
  const forged = [...columns, '__proto__', 'length'];
  const fields = forged.map((name): [string, string] => [field(name), name === 'size' ? '1' : 'true']);
  const { status, body } = await post(rawForm(boundary, ...fields, [file(), content()]));
  expect(status).toBe(201);
  expect(body).toMatchObject({ userId: member.id, external: false, originalFilename: 'a.pdf' });
  expect(body.filePath).toMatch(/^attachments\/DOCUMENT\/[\da-f-]{36}\.pdf$/);
});

describe('a file name in the extended form', () => {
  test.each(["UTF-8''..%2f..%2fetc%2fpasswd.pdf", "UTF-8''a%00b.pdf", "UTF-8''a%0d%0aX-Evil%3A.pdf", "UTF-8''%e2%80%aea.pdf"])(
    'is sanitized: %s',
    async (name) => {
      const { status, body } = await post(rawForm(boundary, [file(`; filename*=${name}`), content()]));
      expect(status).toBe(201);
      expect(body.originalFilename).not.toMatch(/[/\\\p{Cc}\u202e]/u);
      const { headers } = await world.call(member, `GET /api/attachments/${body.id}`);
      expect(headers.get('x-evil')).toBeNull();
    },
  );

  test.each(["utf-16''%ff%fe", "UTF-8''%zz", "UTF-8''a b.pdf", "nonsense''a.pdf"])(
    'is rejected if it cannot be decoded: %s',
    async (name) => {
      expect((await post(rawForm(boundary, [file(`; filename*=${name}`), content()]))).code).toBe('FILE_REQUIRED');
    },
  );
});

const page = '<!doctype html><html><script>alert(document.domain)</script></html>';
const script = '*/=1;alert(1)//';
const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const zip = Buffer.from('504b0304140000000000', 'hex');
const uploadAs = (type: string, name: string, ...parts: (string | Buffer)[]) => {
  const bytes = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
  return upload(world, member, {}, new File([bytes], name, { type }));
};

// resources/attachments-form.test.ts rejects further types and contents.
describe('a file of another type, or with content of another type, is rejected:', () => {
  test.each<[string, string, ...(string | Buffer)[]]>([
    ['an HTML page before a PDF', 'application/pdf', page, beginnings['application/pdf']],
    ['an SVG as PNG', 'image/png', drawing],
    ['a PDF as HTML', 'text/html', beginnings['application/pdf']],
    ['two types in one header', 'application/pdf, text/html', beginnings['application/pdf']],
  ])('%s', async (_what, type, ...parts) => {
    expect((await uploadAs(type, 'a.pdf', ...parts)).code).toBe('InvalidAttachmentTypeError');
  });
});

describe('a file that is also valid as another type does not run in a browser:', () => {
  test.each<[string, FileType, string, string | Buffer]>([
    ['a PDF that is also HTML', 'application/pdf', 'a.html', page],
    ['a PDF that is also a ZIP archive', 'application/pdf', 'a.pdf.jar', zip],
    ['a JPEG that is also a script', 'image/jpeg', 'a.js', script],
    ['a PNG that is also an SVG', 'image/png', 'a.svg', drawing],
    ['a WebP that is also a script', 'image/webp', 'a.js', script],
  ])('%s', async (_what, type, name, rest) => {
    const { status, body } = await uploadAs(type, name, beginnings[type], rest);
    expect(status).toBe(201);
    // The extension of the storage key comes from the type, not from the name.
    expect(body.filePath).toMatch(/\/[\da-f-]{36}\.(pdf|jpe?g|png|webp)$/);
    for (const range of [{}, { range: `bytes=${beginnings[type].length}-` }]) {
      const { headers } = await world.call(member, `GET /api/attachments/${body.id}`, undefined, { ...range, accept: 'text/html' });
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': type,
        'x-content-type-options': 'nosniff',
        'content-disposition': expect.stringMatching(/^attachment; /),
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      });
    }
  });
});
