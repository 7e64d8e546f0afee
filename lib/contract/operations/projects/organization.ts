import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { displayName } from "../../schema";
import { withVersion } from "../../version";

/** How people read numbers. The decimal mark is a point in each, so that what is typed means one number. */
const numberFormats = ["comma", "space", "apostrophe"] as const;
export type NumberFormat = (typeof numberFormats)[number];

/** A name of the IANA's time zones that this machine knows. */
const timeZone = z
  .string()
  .check(z.maxLength(64), z.refine(isTimeZone, { message: "must be a time zone such as Europe/Berlin" }));

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** Room for a picture of 96 × 96 points. */
export const MAX_LOGO_LENGTH = 24_000;

/** The beginnings of the pictures that a logo may be, in Base64. None of them can contain a script. */
const pictures = ["png;base64,iVBORw0KGgo", "jpeg;base64,/9j/", "webp;base64,UklGR"] as const;

const logo = z.string().check(
  z.maxLength(MAX_LOGO_LENGTH, `must be a small picture: at most ${MAX_LOGO_LENGTH} characters`),
  z.refine(
    (text) =>
      pictures.some((picture) => text.startsWith(`data:image/${picture}`)) &&
      /^[^,]+,[A-Za-z0-9+/]+={0,2}$/.test(text),
    { message: "must be a PNG, JPEG or WebP picture as a data URL" },
  ),
);

/** How the console shows the organization, and dates and numbers to everybody. */
export const organizationLook = {
  /** A data URL; null without a logo. */
  logo: z.nullable(z.string()),
  /** The zone in which dates are shown; null for the zone of whoever looks. Days of limits and months stay UTC. */
  time_zone: z.nullable(z.string()),
  number_format: z.enum(numberFormats),
};

const organization = withVersion(
  z.object({
    object: z.literal("organization.settings"),
    id: z.string(),
    /** What invitations, mails and statements call it. */
    name: z.string(),
    /** ISO 4217. Set at the first start, and never changed. */
    currency: z.string(),
    ...organizationLook,
  }),
);
export type OrganizationSettings = z.output<typeof organization>;

/** Absent fields stay as they are. */
export const organizationChange = z.strictObject({
  name: z.optional(displayName),
  logo: z.optional(z.nullable(logo)),
  time_zone: z.optional(z.nullable(timeZone)),
  number_format: z.optional(z.enum(numberFormats)),
});
export type OrganizationChange = z.output<typeof organizationChange>;

export const organizationOperations = defineOperations(
  { surface: "v1 and origin" },
  {
    retrieveOrganization: {
      method: "GET",
      path: "/organization/settings",
      scope: "own",
      permission: {
        open: "to every caller",
        because: "Whoever belongs to the organization knows its name and currency.",
      },
      summary: "Returns the organization's name, logo and currency, and how dates and numbers are shown.",
      reply: organization,
    },
    changeOrganization: {
      method: "POST",
      effect: "edits",
      path: "/organization/settings",
      scope: "organization",
      permission: "api.organization.write",
      summary:
        "Changes the organization's name or logo, as invitations and statements show it from then on, or how the console shows dates and numbers. Absent fields stay.",
      body: organizationChange,
      reply: organization,
    },
  },
);
