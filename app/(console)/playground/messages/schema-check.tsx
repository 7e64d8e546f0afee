"use client";

import { useEffect, useState } from "react";
import { Status } from "@/components/ui/status";
import { readJson } from "../settings/settings";

type SchemaCheckProps = { text: string; schema: string };

/** Shows whether an answer is JSON that matches the requested schema. */
export function SchemaCheck({ text, schema }: SchemaCheckProps) {
  const [fault, setFault] = useState<string | null>();
  useEffect(() => {
    let isGone = false;
    // Loaded on demand, since few conversations use a schema.
    const check = async () => {
      const { findSchemaFault } = await import("./check-schema");
      if (!isGone) setFault(findSchemaFault(readJson(text), readJson(schema)));
    };
    void check();
    return () => {
      isGone = true;
    };
  }, [text, schema]);
  if (fault === undefined) return null;
  return fault === null ? (
    <Status tone="good">Fits the JSON schema</Status>
  ) : (
    <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
      <Status tone="bad">Does not fit the JSON schema</Status>
      <span className="text-muted">{fault}</span>
    </p>
  );
}
