import type { RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';

type Policy = Exclude<HelmetOptions['contentSecurityPolicy'], boolean | undefined>;

/** Creates the middleware that sets the security headers of an HTML page. @param directives what the page may load: nothing else is allowed */
export const htmlHeaders = (directives: NonNullable<Policy['directives']>): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], ...directives, baseUri: ["'none'"], frameAncestors: ["'none'"] },
    },
    // The login runs in a pop-up window on another origin and needs its opener when it returns.
    crossOriginOpenerPolicy: false,
  });
