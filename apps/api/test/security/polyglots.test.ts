import { describe, expect, test } from 'vitest';
import { beginnings, type FileType, upload } from '../support/files.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const member = useMember(world, useTenant(world), 'coordinator');

const page = '<!doctype html><html><script>alert(document.domain)</script></html>';
const script = '*/=1;alert(1)//';
const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const zip = Buffer.from('504b0304140000000000', 'hex');
const gif = 'GIF89a=1;alert(1)';
const put = (type: string, name: string, ...parts: (string | Buffer)[]) => {
  const bytes = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
  return upload(world, member, {}, new File([bytes], name, { type }));
};

// resources/attachments-form.test.ts rejects further types and contents.
describe('a file of another type, or with content of another type, is rejected:', () => {
  test.each<[string, string, string, ...(string | Buffer)[]]>([
    ['an HTML page as PDF', 'application/pdf', 'a.pdf', page],
    ['an HTML page before a PDF', 'application/pdf', 'a.pdf', page, beginnings['application/pdf']],
    ['a ZIP archive as PDF', 'application/pdf', 'a.pdf', zip],
    ['a ZIP archive before a PDF', 'application/pdf', 'a.pdf', zip, beginnings['application/pdf']],
    ['an executable as PDF', 'application/pdf', 'a.pdf', 'MZ\x90\x00'],
    ['an SVG as PNG', 'image/png', 'a.png', drawing],
    ['a GIF that is a script as PNG', 'image/png', 'a.png', gif],
    ['an SVG as WebP', 'image/webp', 'a.webp', drawing],
    ['a GIF and PDF', 'application/pdf', 'a.pdf', 'GIF89a\n%PDF-1.7'],
    ['a PDF as HTML', 'text/html', 'a.pdf', beginnings['application/pdf']],
    ['two types in one header', 'application/pdf, text/html', 'a.pdf', beginnings['application/pdf']],
  ])('%s', async (_what, type, name, ...parts) => {
    expect((await put(type, name, ...parts)).code).toBe('InvalidAttachmentTypeError');
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
    const { status, body } = await put(type, name, beginnings[type], rest);
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
