import { expect, test } from "bun:test";
import { auditEvents, unaudited } from "./audit-events";
import { operationTable } from "./operation-table";

test("every operation that is not a read has its audit event, or changes nothing", () => {
  const changing = operationTable.filter(({ method }) => method !== "GET").map(({ id }) => id);
  expect([...Object.keys(auditEvents), ...unaudited].toSorted()).toEqual(changing.toSorted());
});

test("events are named alike", () => {
  for (const type of Object.values(auditEvents)) expect(type).toMatch(/^[a-z_]+(\.[a-z_]+){1,2}$/);
});
