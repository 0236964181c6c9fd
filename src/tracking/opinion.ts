import type { Rating } from '../storage/tracking-store.ts';

/** What a visitor says; at least one of rating, reason and comment is there. */
export type Opinion = {
  readonly rating: Rating | undefined;
  readonly reason: string | undefined;
  readonly comment: string | undefined;
  readonly language: string | undefined;
  readonly visitor: VisitorValues;
};

/** What the page tells about the visitor, by name. */
export type VisitorValues = Readonly<Record<string, string>>;
