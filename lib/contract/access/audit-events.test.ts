import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { operationTable } from "../operation-table";
import { auditEvents, otherEvents, ownEventTypes, unaudited } from "./audit-events";

/** The event types that OpenAI's SDK declares. */
function declaredTypes(): string[] {
  const path = import.meta.resolve("openai/resources/admin/organization/audit-logs");
  const declaration = readFileSync(new URL(path.replace(/\.m?js$/, ".d.ts")), "utf8");
  const union = /^ {4}type: (.*);$/m.exec(declaration)?.[1] ?? "";
  return [...union.matchAll(/'([^']+)'/g)].map(([, type]) => type ?? "");
}

test("every operation that is not a read has its audit event, or changes nothing", () => {
  const changing = operationTable.filter(({ method }) => method !== "GET").map(({ id }) => id);
  expect([...Object.keys(auditEvents), ...unaudited].toSorted()).toEqual(changing.toSorted());
});

test("events are named alike", () => {
  for (const type of Object.values(auditEvents)) expect(type).toMatch(/^[a-z_]+(\.[a-z_]+){1,2}$/);
});

test("an event has the type that OpenAI's SDK declares, or is one of those it declares none for", () => {
  const declaredEvents = declaredTypes();
  expect(declaredEvents).toContain("role.assignment.created");
  const types = [...Object.values(auditEvents), ...Object.values(otherEvents)];
  const own = [...new Set<string>(types)].filter((type) => !declaredEvents.includes(type));
  expect(own.toSorted()).toEqual([...ownEventTypes]);
});
