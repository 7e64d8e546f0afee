import { expect, test } from "bun:test";
import { SessionCache } from "./sessions";

test("a session that is found expired is reported as ended, once", () => {
  const endedIds: string[] = [];
  const session = {
    id: "sess_1",
    hash: "h",
    actor: { kind: "user", id: "user_1" },
    userAgent: null,
    createdAtMs: 0,
    expiresAtMs: 10,
  } as const;
  const cache = new SessionCache([session], (id) => endedIds.push(id));
  expect(cache.find("h", 9)?.id).toBe("sess_1");
  expect(endedIds).toEqual([]);
  for (let look = 0; look < 2; look++) expect(cache.find("h", 10)).toBeUndefined();
  expect(endedIds).toEqual(["sess_1"]);
});
