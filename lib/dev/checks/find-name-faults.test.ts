import { describe, expect, test } from "bun:test";
import { findPathFaults, findWordFaults } from "@/lib/dev/checks/find-name-faults";

describe("paths", () => {
  test.each([
    "lib/gateway/roles/saveRole.ts",
    "lib/gateway/roles/Save-Role.ts",
    "lib/gateway/roles/index.ts",
    "lib/console/utils.ts",
    "components/helpers/merge.ts",
    "app/(console)/workspace/page.tsx",
    "app/(console)/[projectId]/page.tsx",
  ])("%s is refused", (path) => {
    expect(findPathFaults(path)).toHaveLength(1);
  });

  test.each([
    "README.md",
    "lib/console/README.md",
    "playwright.config.ts",
    ".ci/run",
    "app/(console)/rate-limits/[project]/page.tsx",
    "app/api/[...path]/route.ts",
    "lib/gateway/rate-limits/save-rate-limit.test.ts",
  ])("%s passes", (path) => {
    expect(findPathFaults(path)).toEqual([]);
  });
});

test("a declared name that uses a synonym is a fault that names the word", () => {
  const source = ["saveCredit", "wallet_id", "creditor"].map((name) => `const ${name} = 1;`).join("\n");
  expect(findWordFaults("a.ts", source)).toEqual([
    'a.ts: saveCredit: say balance instead of "credit"',
    'a.ts: wallet_id: say balance instead of "wallet"',
  ]);
});
