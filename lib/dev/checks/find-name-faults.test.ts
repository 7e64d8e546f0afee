import { describe, expect, test } from "bun:test";
import { findPathFaults, findWordFaults } from "@/lib/dev/checks/find-name-faults";

describe("paths", () => {
  test.each([
    "lib/gateway/store/sql/tables/holds.ts",
    "lib/gateway/roles/saveRole.ts",
    "lib/gateway/roles/Save-Role.ts",
    "lib/gateway/roles/index.ts",
    "lib/console/utils.ts",
    "components/helpers/merge.ts",
    "app/(console)/workspace/page.tsx",
    "app/(console)/[projectId]/page.tsx",
    "lib/gateway/tasks/send-webhook.ts",
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
  const source = ["saveQuota", "webhook_url", "jobless"].map((name) => `const ${name} = 1;`).join("\n");
  expect(findWordFaults("a.ts", source)).toEqual([
    'a.ts: saveQuota: say rate limit instead of "quota"',
    'a.ts: webhook_url: say callback instead of "webhook"',
  ]);
});
