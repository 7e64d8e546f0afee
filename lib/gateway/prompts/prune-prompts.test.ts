import { expect, test } from "bun:test";
import { DAY_MS } from "@/lib/contract/durations";
import { openPrunableStore, START_MS } from "../database/testing/open-prunable-store";
import { examine } from "../doctor/examine-outputs";

const open = () => openPrunableStore((path) => examine(path, START_MS).flatMap(({ faults }) => faults));

test("runs of prompts are deleted after 180 days with their results, and so are private prompts of removed members", async () => {
  await using store = await open();
  const { sqlite } = store;
  const gone = {
    id: "user_1",
    email: "a@b.c",
    name: "A",
    created_at_ms: 0,
    removed_at_ms: START_MS - 181 * DAY_MS,
  };
  const nobody = { developer_persona: null, technical_level: null };
  await store.write(
    (queries) =>
      queries
        .insertInto("users")
        .values({ ...nobody, ...gone })
        .execute(),
    {
      type: "user.deleted",
      atMs: START_MS,
    },
  );
  const prompt = sqlite.prepare("INSERT INTO prompts VALUES (?, 'p', ?, 'A', 'v1.x', ?, 'v1.x', 1, 0, 0)");
  const version = sqlite.prepare("INSERT INTO prompt_versions VALUES (?1, ?1, 1, 'a', 'A', 'v1.x', 0)");
  const owned = { gone: ["user_1", 0], shared: ["user_1", 1], kept: ["user_2", 0] } as const;
  for (const [id, [owner, isShared]] of Object.entries(owned)) {
    prompt.run(id, owner, isShared);
    version.run(id);
  }
  const run = sqlite.prepare("INSERT INTO prompt_runs VALUES (?, 'kept', 'a', 'A', '[1]', '[]', 'v1.x', ?)");
  for (const [id, days] of [
    ["old", 182],
    ["new", 179],
  ] as const) {
    run.run(id, START_MS - days * DAY_MS);
    sqlite.run("INSERT INTO prompt_results VALUES (?, 1, 0, 'm', 'v1.x')", [id]);
  }
  expect(store.faults().join()).toContain("1 runs are older than 180 days");
  await store.cut(START_MS);
  const left = (table: string, column: string) =>
    sqlite.query(`SELECT ${column} AS id FROM ${table}`).values().flat().toSorted();
  expect(left("prompts", "id")).toEqual(["kept", "shared"]);
  expect(left("prompt_versions", "prompt_id")).toEqual(["kept", "shared"]);
  expect(left("prompt_results", "run_id")).toEqual(["new"]);
  expect(store.faults()).toEqual([]);
  sqlite.run("UPDATE prompts SET sealed_name = 'Wombat', latest_version = 2 WHERE id = 'kept'");
  for (let made = 0; made < 20; made++) run.run(`run_${made}`, START_MS);
  expect(store.faults().join()).toMatch(
    /kept is not sealed.*kept does not end in its newest.*21 runs of kept/,
  );
});
