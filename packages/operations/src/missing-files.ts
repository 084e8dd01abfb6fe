/** How many ids are kept. */
const maxIds = 100;

/** The attachments whose files the storage does not have: their number, and the ids of the first ones. Memory does not grow with their number. */
export class MissingFiles {
  count = 0;
  readonly ids: string[] = [];

  add(id: string): void {
    this.count += 1;
    if (this.ids.length < maxIds) this.ids.push(id);
  }
}
