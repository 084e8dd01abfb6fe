import { endpoints } from '@profile-service/contracts';
import { exampleOf, type Input, optionalParts, type Records, smallestChanges } from '@profile-service/contracts/examples';
import { newId } from '@profile-service/db';
import { compileInput } from '../../src/request/input.ts';

/** Every combination of the parts: each is absent or present. */
const choices = (parts: Input[]): Input[] =>
  parts.reduce<Input[]>((made, part) => [...made, ...made.map((one) => ({ ...one, ...part }))], [{}]);

/** An uploaded file without a storage. */
const file = () => ({
  filename: 'a.png',
  contentType: 'image/png',
  size: 1,
  place: async () => `files/${newId()}`,
  keep: () => undefined,
  discard: async () => undefined,
});

/** The inputs of an endpoint as its handler receives them: every combination of its optional fields, and pages with and without a count. */
export async function inputsOf(name: string, records: Records): Promise<Input[]> {
  const endpoint = endpoints.find((each) => each.name === name)!.endpoint;
  const example = exampleOf(name);
  const variants = (await example.variants?.(records)) ?? [];
  const optional = choices(await optionalParts(example, records));
  const changes = choices(await smallestChanges(example, records));
  const pages =
    'page' in endpoint.query
      ? [
          { page: 1, limit: 20 },
          { page: 2, limit: 1 },
        ]
      : [{}];
  const valid = await example.valid(records);
  const isPartial = endpoint.body?.safeParse({}).success ?? false;
  const unchanged = Object.fromEntries(Object.entries(valid).filter(([field]) => !isPartial || field in endpoint.params));
  const own = example.changes
    ? changes.map((change) => ({ ...unchanged, ...change }))
    : optional.map((chosen) => ({ ...valid, ...chosen }));
  const all = [...own.flatMap((input) => pages.map((page) => ({ ...input, ...page }))), ...variants];
  const validate = compileInput(endpoint);
  return all.map((input) => ({
    ...validate({ params: input, query: input, body: input }),
    ...(endpoint.media === 'upload' ? { file: file() } : {}),
  }));
}
