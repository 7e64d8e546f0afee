import { Refusal } from "../refusal";

/** A resource as SCIM's JSON has it. */
export type ScimResource = Readonly<Record<string, unknown>>;

/** The kinds of errors that SCIM names (RFC 7644, table 9). */
type ScimType =
  | "invalidFilter"
  | "invalidPath"
  | "invalidSyntax"
  | "invalidValue"
  | "mutability"
  | "noTarget"
  | "tooMany";

/** A request of a directory that SCIM has a name for refusing. */
export class ScimRefusal extends Refusal {
  constructor(
    readonly scimType: ScimType,
    message: string,
  ) {
    super(400, "invalid_request_error", "invalid_value", message, { param: scimType });
  }
}

/** An attribute that is kept here (RFC 7643, section 7). Others are taken from a directory and left out. */
export interface ScimAttribute {
  readonly name: string;
  readonly type: "string" | "boolean" | "dateTime" | "reference" | "complex";
  readonly description: string;
  readonly isList?: true;
  readonly isExact?: true;
  readonly isRequired?: true;
  readonly isReadOnly?: true;
  readonly isUnique?: true;
  readonly parts?: readonly ScimAttribute[];
}

export interface ScimSchema {
  readonly id: string;
  readonly name: "User" | "Group";
  readonly path: "/Users" | "/Groups";
  readonly description: string;
  readonly attributes: readonly ScimAttribute[];
}

const text = (name: string, description: string, more: Partial<ScimAttribute> = {}): ScimAttribute => ({
  name,
  type: "string",
  description,
  ...more,
});
const readOnly = { isReadOnly: true } as const;

/** What every resource has. */
const common: readonly ScimAttribute[] = [
  text("id", "The resource's id here.", { ...readOnly, isExact: true, isUnique: true }),
  text("externalId", "The resource's id in the directory.", { isExact: true }),
  {
    name: "meta",
    type: "complex",
    description: "What is known about the resource.",
    ...readOnly,
    parts: [
      text("resourceType", "User or Group.", readOnly),
      { name: "created", type: "dateTime", description: "When it was created.", ...readOnly },
      text("location", "Its address.", readOnly),
    ],
  },
];

const reference: ScimAttribute = {
  name: "$ref",
  type: "reference",
  description: "Its address.",
  ...readOnly,
};

export const userSchema: ScimSchema = {
  id: "urn:ietf:params:scim:schemas:core:2.0:User",
  name: "User",
  path: "/Users",
  description: "A member of the organization.",
  attributes: [
    ...common,
    text("userName", "The name that the directory knows the member by.", {
      isRequired: true,
      isUnique: true,
    }),
    text("displayName", "The name that everybody sees."),
    { name: "active", type: "boolean", description: "Whether the member may sign in and do anything." },
    {
      name: "name",
      type: "complex",
      description: "The parts of the name.",
      parts: [
        text("formatted", "The whole name."),
        text("givenName", "The given name."),
        text("familyName", "The family name."),
      ],
    },
    {
      name: "emails",
      type: "complex",
      isList: true,
      description: "The address to sign in with: the primary one, else that of work, else the first.",
      parts: [
        text("value", "The address.", { isUnique: true }),
        text("type", "Such as work."),
        { name: "primary", type: "boolean", description: "Whether this one counts." },
      ],
    },
    {
      name: "groups",
      type: "complex",
      isList: true,
      description: "The groups that the member is in.",
      ...readOnly,
      parts: [
        text("value", "The group's id.", { ...readOnly, isExact: true }),
        reference,
        text("display", "Its name.", readOnly),
      ],
    },
  ],
};

export const groupSchema: ScimSchema = {
  id: "urn:ietf:params:scim:schemas:core:2.0:Group",
  name: "Group",
  path: "/Groups",
  description: "A group of members, whose roles are given in the console.",
  attributes: [
    ...common,
    text("displayName", "The group's name.", { isRequired: true, isUnique: true }),
    {
      name: "members",
      type: "complex",
      isList: true,
      description: "Who is in it.",
      parts: [
        text("value", "The member's id.", { isExact: true }),
        reference,
        text("display", "The member's name.", readOnly),
      ],
    },
  ],
};

/** An attribute, and the part of it that a path names; null for one that isn't kept here. */
export interface FoundAttribute {
  readonly attribute: ScimAttribute;
  readonly part: ScimAttribute | null;
}

/**
 * Finds what a path such as `name.givenName` or `urn:…:User:emails.value` names. Case makes no difference
 * (RFC 7643, 2.1).
 */
export function findAttribute(
  { id, attributes }: Pick<ScimSchema, "id" | "attributes">,
  path: string,
): FoundAttribute | null {
  const isLong = path.toLowerCase().startsWith(`${id.toLowerCase()}:`);
  const [name = "", partName, ...rest] = (isLong ? path.slice(id.length + 1) : path).split(".");
  const attribute = findNamed(attributes, name);
  if (!attribute || rest.length > 0) return null;
  if (partName === undefined) return { attribute, part: null };
  const part = findNamed(attribute.parts ?? [], partName);
  return part && { attribute, part };
}

export function findNamed(attributes: readonly ScimAttribute[], name: string): ScimAttribute | null {
  const folded = name.toLowerCase();
  return attributes.find((attribute) => attribute.name.toLowerCase() === folded) ?? null;
}

/** The values of an attribute, or of a part of it; for a list without a part, the value of each item. */
export function listValues(resource: ScimResource, { attribute, part }: FoundAttribute): unknown[] {
  const held = resource[attribute.name];
  const items: unknown[] = Array.isArray(held) ? held : [held];
  const partName = part?.name ?? (attribute.isList && attribute.parts ? "value" : null);
  const values = partName === null ? items : items.map((item) => asRecord(item)?.[partName]);
  return values.filter((value) => value !== undefined && value !== null);
}

export function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

/** The resource with only what `attributes` names, or without what `excludedAttributes` names, and always its id. */
export function selectAttributes(
  schema: ScimSchema,
  resource: ScimResource,
  { attributes, excluded }: { readonly attributes: string | null; readonly excluded: string | null },
): ScimResource {
  const find = (names: string) =>
    names.split(",").flatMap((name) => findAttribute(schema, name.trim()) ?? []);
  const [wanted, unwanted] = [attributes === null ? null : find(attributes), find(excluded ?? "")];
  const selected: Record<string, unknown> = {};
  for (const name of Object.keys(resource)) {
    const isFixed = name === "id" || name === "schemas";
    const asked = wanted?.filter(({ attribute }) => attribute.name === name);
    if (!isFixed && asked?.length === 0) continue;
    if (!isFixed && unwanted.some(({ attribute, part }) => attribute.name === name && !part)) continue;
    const parts = asked?.flatMap(({ part }) => part?.name ?? []) ?? [];
    const keepsAll = isFixed || !asked || asked.some(({ part }) => part === null);
    selected[name] = keepsAll ? resource[name] : pickParts(resource[name], parts);
  }
  return selected;
}

function pickParts(value: unknown, parts: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => pickParts(item, parts));
  return Object.fromEntries(Object.entries(asRecord(value) ?? {}).filter(([name]) => parts.includes(name)));
}
