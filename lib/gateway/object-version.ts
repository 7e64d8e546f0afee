import * as z from "zod/mini";
import { findVersionedFields } from "@/lib/contract/version";

type Stamp = (value: unknown) => unknown;
type Fields = Readonly<Record<string, unknown>>;

const VERSION_LENGTH = 22;

/**
 * A function that fills in `version` wherever a reply's schema declares it; null for a schema without versions. Built
 * once, at start.
 */
export function createVersionStamp(schema: z.core.$ZodType): Stamp | null {
  if (schema instanceof z.ZodMiniArray) {
    const stamp = createVersionStamp(schema.def.element);
    return stamp && ((value) => (value as unknown[]).map(stamp));
  }
  if (schema instanceof z.ZodMiniNullable || schema instanceof z.ZodMiniOptional) {
    const stamp = createVersionStamp(schema.def.innerType);
    return stamp && ((value) => (value === null || value === undefined ? value : stamp(value)));
  }
  return schema instanceof z.ZodMiniObject ? createObjectStamp(schema) : null;
}

function createObjectStamp(schema: z.ZodMiniObject): Stamp | null {
  const ownFields = findVersionedFields(schema);
  const inner = Object.entries(schema.shape).flatMap(([name, field]) => {
    const stamp = createVersionStamp(field);
    return stamp ? [[name, stamp] as const] : [];
  });
  if (!ownFields && inner.length === 0) return null;
  return (value) => {
    const stampedValue = { ...(value as Record<string, unknown>) };
    for (const [name, stamp] of inner) stampedValue[name] = stamp(stampedValue[name]);
    if (ownFields) stampedValue.version = hashVersion(value as Fields, ownFields);
    return stampedValue;
  };
}

/** Equal fields have equal versions, in every process and after every start. */
export function hashVersion(object: Fields, fields: readonly string[]): string {
  const state = JSON.stringify(fields.map((name) => object[name]));
  return new Bun.CryptoHasher("sha256").update(state).digest("base64url").slice(0, VERSION_LENGTH);
}
