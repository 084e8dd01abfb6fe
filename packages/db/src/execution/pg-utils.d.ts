/** The part of pg that its query classes share. pg's types lack it. */
declare module 'pg/lib/utils.js' {
  const utils: {
    /** Converts a JavaScript value to the text of a parameter. */
    prepareValue(value: unknown): string | Buffer | null;
  };
  export default utils;
}
