import { expect, test } from "bun:test";
import { recognizeIds } from "./use-found-objects";

const tail = "01kb4x7q2m0000000000000000";
const addresses = (text: string) => recognizeIds(text).map(({ href }) => href);

test.each([
  ["req", `/requests/req_${tail}`],
  ["hold", `/requests/req_${tail}`],
  ["txn", `/balance/txn_${tail}`],
  ["task", `/tasks/task_${tail}`],
  ["batch", `/batches/batch_${tail}`],
  ["audit", `/audit-logs/audit_${tail}`],
])("the id of a %s leads to its page", (prefix, href) => {
  expect(addresses(`${prefix}_${tail}`)).toEqual([href]);
});

test("an id is found in what surrounds it where it is copied", () => {
  for (const text of [
    `  req_${tail} `,
    `"request_id": "req_${tail}",`,
    `http://127.0.0.1:3000/requests/req_${tail}?range=all`,
  ]) {
    expect(addresses(text)).toEqual([`/requests/req_${tail}`]);
  }
});

test("words, keys and ids of other kinds are none", () => {
  expect(recognizeIds(`req_short max_requests_per_1_minute gk_live_${tail}${tail} user_${tail}`)).toEqual([]);
  expect(recognizeIds(`constructor_${tail}`)).toEqual([]);
});
