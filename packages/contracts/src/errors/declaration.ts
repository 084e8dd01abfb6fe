/** The description of one error code. Backticks mark names of fields, headers and values. */
export interface ErrorDeclaration {
  status: number;
  title: string;
  /** When the service responds with this code. It is the default `detail`. */
  when: string;
  /** What usually causes it. */
  cause: string;
  /** What the developer of the calling program does about it. */
  action: string;
  /** Set if the service never sends the code. */
  reserved?: true;
}

/** The codes of one area. */
export type ErrorDeclarations = Record<string, ErrorDeclaration>;
