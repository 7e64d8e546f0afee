import * as z from "zod/mini";
import { CONTROL_CLASS, isVisible } from "./plain-text";

/** Unix time in whole seconds. */
export const unixSeconds = z.int();

/** The same in a query string. */
export const queryTime = z.pipe(
  z.string().check(z.regex(/^\d{1,11}$/, "must be Unix seconds")),
  z.pipe(z.transform(Number), unixSeconds),
);

/** The lifetime of a key from its creation, in seconds: up to ten years. */
export const lifetimeSeconds = z.int().check(z.minimum(1), z.maximum(315_360_000));

/**
 * An amount of money, a price or a rate: a decimal string with at most nine decimals ("25.00"), up to 9,000,000,000.
 */
export const decimal = z
  .string()
  .check(
    z.regex(
      /^(?:[0-8]?\d{1,9}(?:\.\d{1,9})?|9000000000(?:\.0{1,9})?)$/,
      "must be a decimal number such as 25.00, with at most 9 decimals and at most 9000000000",
    ),
  );

/** A decimal string that may be negative. */
export const signedDecimal = z.string().check(z.regex(/^-?\d{1,10}(\.\d{1,9})?$/));

/** A decimal string above zero. */
export const positiveDecimal = decimal.check(
  z.refine((text) => /[1-9]/.test(text), { message: "must be greater than 0" }),
);

/** Text of one line. Characters that turn the direction of the text after them could make it read as something else. */
export const withoutControls = z.regex(
  new RegExp(`^[^${CONTROL_CLASS}]*$`, "u"),
  "must not contain control characters",
);

/** A display name: trimmed, 1 to 100 characters, no control characters, at least one that is visible. */
export const displayName = z.string().check(
  z.trim(),
  z.minLength(1),
  z.maxLength(100),
  withoutControls,
  z.refine((text) => text === "" || isVisible(text), { message: "must contain a visible character" }),
);

/** An email address, validated as in browsers' forms. */
export const emailAddress = z
  .string()
  .check(z.trim(), z.maxLength(254), z.regex(z.regexes.html5Email, "must be an email address"));

/** A key or token that a client sends as a credential. */
export const secretText = z.string().check(z.minLength(1), z.maxLength(2000));

/** Free text of a sentence or two. */
export const description = z.string().check(z.trim(), z.maxLength(500), withoutControls);

/** A day of the calendar: `2026-11-30`. */
export const calendarDay = z.string().check(z.regex(z.regexes.date, "must be a day such as 2026-11-30"));

/** Yes or no in a query string. */
export const queryFlag = z.pipe(
  z.enum(["true", "false"]),
  z.transform((text) => text === "true"),
);

/** A whole number of at most so many digits in a query string. */
export const wholeNumber = (digits: number) =>
  z.pipe(
    z.string().check(z.regex(new RegExp(`^\\d{1,${digits}}$`), "must be a whole number")),
    z.transform(Number),
  );

/** The direction of a list, by time of creation. */
const sortOrder = z.enum(["asc", "desc"]);

/** `after`, `before` and `limit` of a list, in a query string. */
export const pageQuery = z.strictObject({
  after: z.optional(z.string()),
  before: z.optional(z.string()),
  limit: z.optional(
    z.pipe(
      z.string().check(z.regex(/^\d{1,4}$/, "must be a whole number from 1 to 1000")),
      z.pipe(z.transform(Number), z.int().check(z.minimum(1), z.maximum(1000))),
    ),
  ),
});
export type PageQuery = z.output<typeof pageQuery>;

/** A list in a query string: `names[]=a&names[]=b`, or `names=a` for one. */
export const queryList = z.pipe(
  z.union([z.string(), z.array(z.string()).check(z.maxLength(100))]),
  z.transform((value) => (typeof value === "string" ? [value] : value)),
);

/** A page with an order: `asc` by default, or `desc` for the reversed list. */
export const orderedPageQuery = z.extend(pageQuery, { order: z.optional(sortOrder) });
export type OrderedPageQuery = z.output<typeof orderedPageQuery>;

/** Each word of a search is part of a listed object's name, address or end of a key, or begins its id. */
const search = z.optional(z.string().check(z.maxLength(200)));

/** A page of a list with a search. */
export const searchedPageQuery = z.extend(pageQuery, { search });

/** A page of a list with a search and an order. */
export const searchedOrderedPageQuery = z.extend(orderedPageQuery, { search });
export type SearchedOrderedPageQuery = z.output<typeof searchedOrderedPageQuery>;

/** A page of a list. The next page is requested with `after=last_id`. */
export function pageSchema<Item extends z.ZodMiniType>(item: Item) {
  return z.object({
    object: z.literal("list"),
    data: z.array(item),
    first_id: z.nullable(z.string()),
    last_id: z.nullable(z.string()),
    has_more: z.boolean(),
  });
}

/** The same with `next`, which is `last_id` while there is more; OpenAI's clients page through some lists with it. */
export function nextPageSchema<Item extends z.ZodMiniType>(item: Item) {
  const { object, data, has_more } = pageSchema(item).shape;
  // OpenAI's lists of this kind have no ids.
  const ids = { first_id: z.optional(z.nullable(z.string())), last_id: z.optional(z.nullable(z.string())) };
  return z.object({ object, data, ...ids, has_more, next: z.nullable(z.string()) });
}

/**
 * A field of OpenAI's SDKs that this gateway does not support: null is accepted, and any other value refused by name.
 */
export const notSupported = z.optional(z.null("is not supported by this gateway: leave it out"));
