"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Status } from "@/components/ui/status";

type SchemaCheckProps = {
  text: string;
  schema: string;
  /** True while the answer is streaming. Only violations that no further text can repair are shown then. */
  isLive: boolean;
};

/** Parsing and checking a long answer takes a few milliseconds, so it isn't done for every token. */
const CHECK_EVERY_MS = 200;

interface Checked {
  readonly fault: string | null;
  readonly isLive: boolean;
}

/** Shows whether an answer is JSON that matches the requested schema, also while it streams. */
export function SchemaCheck({ text, schema, isLive }: SchemaCheckProps) {
  const [checked, setChecked] = useState<Checked>();
  const isChecking = useRef(false);
  const checkSoFar = useEffectEvent(async () => {
    // A check that takes longer than the interval delays the next one.
    if (isChecking.current) return;
    isChecking.current = true;
    const next = await check({ text, schema, isLive: true });
    isChecking.current = false;
    // The complete answer may have been checked in the meantime.
    setChecked((before) => (before && (!before.isLive || before.fault === next.fault) ? before : next));
  });
  useEffect(() => {
    if (!isLive) return;
    const timer = setInterval(() => void checkSoFar(), CHECK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isLive]);
  useEffect(() => {
    if (isLive) return;
    let isGone = false;
    const checkWhole = async () => {
      const next = await check({ text, schema, isLive });
      if (!isGone) setChecked(next);
    };
    void checkWhole();
    return () => {
      isGone = true;
    };
  }, [text, schema, isLive]);
  if (!checked) return null;
  if (checked.fault === null)
    return (
      <Status tone="good">{checked.isLive ? "Fits the JSON schema so far" : "Fits the JSON schema"}</Status>
    );
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
      <Status tone="bad">{checked.isLive ? "Breaks the JSON schema" : "Does not fit the JSON schema"}</Status>
      <span className="min-w-0 break-words text-muted">{checked.fault}</span>
    </p>
  );
}

async function check({ text, schema, isLive }: SchemaCheckProps): Promise<Checked> {
  // Loaded on demand, since few conversations use a schema.
  const { checkOnThread } = await import("@/components/playground/messages/check-on-thread");
  return { fault: await checkOnThread({ text, schema, isLive }), isLive };
}
