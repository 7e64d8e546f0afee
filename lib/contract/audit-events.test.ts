import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import {
  API_KEY_RUN_AS,
  AUDIT_CUT,
  auditEvents,
  CORRECTION_APPROVED,
  CORRECTION_DECLINED,
  CORRECTION_REQUESTED,
  FAILED_SIGN_IN,
  FIRST_CHANGE,
  ownEventTypes,
  PAYMENT_REQUESTED,
  REQUEST_BODY_READ,
  SCHEDULED_PRICE_APPLIED,
  SPEND_ALERT_FIRED,
  SYSTEM_CHANGE,
  unaudited,
} from "./audit-events";
import { operationTable } from "./operation-table";

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
  const types = [
    ...Object.values(auditEvents),
    FAILED_SIGN_IN,
    SYSTEM_CHANGE,
    SPEND_ALERT_FIRED,
    PAYMENT_REQUESTED,
    CORRECTION_REQUESTED,
    CORRECTION_APPROVED,
    CORRECTION_DECLINED,
    AUDIT_CUT,
    FIRST_CHANGE,
    REQUEST_BODY_READ,
    API_KEY_RUN_AS,
    SCHEDULED_PRICE_APPLIED,
  ];
  const own = [...new Set<string>(types)].filter((type) => !declaredEvents.includes(type));
  expect(own.toSorted()).toEqual([...ownEventTypes]);
});
