import { parseXML, XmlNode, XmlText } from '@aws-sdk/xml-builder';
import { StorageError } from './errors.ts';

type Child = XmlNode | string | number | boolean;

/** An element with other elements or with text in it. */
export const element = (name: string, ...content: Child[]): XmlNode =>
  new XmlNode(
    name,
    content.map((child) => (child instanceof XmlNode ? child : new XmlText(String(child)))),
  );

/** The root element of an operation's answer, in S3's namespace. */
export const result = (name: string, ...content: Child[]): XmlNode =>
  element(name, ...content).addAttribute('xmlns', 'http://s3.amazonaws.com/doc/2006-03-01/');

/** Elements by name; one that stands once is no array. */
export type XmlFields = Record<string, unknown>;

/** The fields of the document's root. Throws MalformedXML when the text is none, or its root has another name. */
export function parseDocument(text: string, root: string): XmlFields {
  try {
    const fields = (parseXML(text) as XmlFields)[root];
    if (isFields(fields)) return fields;
  } catch {
    // Falls through: the parser's words would not help the client.
  }
  throw new StorageError('MalformedXML', `The body is no ${root} document.`);
}

/** All elements of that name, each with fields of its own. Throws MalformedXML when there is none, or one has no fields. */
export function elements(fields: XmlFields, name: string): XmlFields[] {
  const found = [fields[name] ?? []].flat();
  if (found.length === 0 || !found.every(isFields)) throw new StorageError('MalformedXML', `${name} is not as it should be.`);
  return found;
}

/** The text of an element that stands once. Throws MalformedXML when it is absent. */
export function textOf(fields: XmlFields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new StorageError('MalformedXML', `${name} is not as it should be.`);
  return value;
}

const isFields = (value: unknown): value is XmlFields => typeof value === 'object' && value !== null && !Array.isArray(value);
