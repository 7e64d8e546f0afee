/**
 * How the organization wants dates and numbers shown. A console shows one organization, so that it is one value for all
 * who look: set by the frame of the pages before they are rendered, on the server and in the browser.
 */
interface OrganizationLook {
  /** An IANA name; null for the zone of whoever looks. */
  readonly timeZone: string | null;
  readonly numberFormat: "comma" | "space" | "apostrophe";
}

let look: OrganizationLook = { timeZone: null, numberFormat: "comma" };

export function setOrganizationLook(next: OrganizationLook): void {
  look = next;
}

/** Returns the zone in which times are shown; null for that of whoever looks. */
export function findOrganizationZone(): string | null {
  return look.timeZone;
}

/** Narrow and unbreakable, so that a number stays on its line. */
const separators = { comma: ",", space: "\u202f", apostrophe: "’" } as const;

/** Returns what stands between groups of three digits. */
export function findSeparator(): string {
  return separators[look.numberFormat];
}
