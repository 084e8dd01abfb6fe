import type { HttpContext } from './context.ts';

declare global {
  namespace Express {
    /** The type of `response.locals`. */
    interface Locals {
      context: HttpContext;
    }
  }
}
