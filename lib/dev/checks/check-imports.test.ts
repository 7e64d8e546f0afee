import { describe, expect, test } from "bun:test";
import { findFilesOfOneScreen, findImportFaults } from "@/lib/dev/checks/check-imports";
import { findImports } from "@/lib/dev/checks/parse-source";
import { listFiles } from "@/lib/dev/list-files";

const from = (...specifiers: string[]) =>
  specifiers.map((name, at) => `import { x as x${at} } from "${name}";`).join("\n");

describe("an import against the arrows is refused", () => {
  const refusedImports: [file: string, specifier: string][] = [
    ["lib/money/amount.ts", "zod"],
    ["lib/money/amount.ts", "@/lib/contract/ids"],
    ["lib/contract/ids.ts", "@/lib/money/amount"],
    ["lib/contract/ids.ts", "node:crypto"],
    ["lib/gateway/ledger/place-hold.ts", "@/lib/gateway/rate-limits/admit"],
    ["lib/gateway/ledger/place-hold.ts", "../rate-limits/admit"],
    ["lib/gateway/ledger/place-hold.ts", "../people/find-user"],
    ["lib/gateway/changes/change.ts", "../roles/role-store.sql"],
    ["lib/gateway/database/list-pages.ts", "../changes/change"],
    ["lib/gateway/access/find-caller.ts", "@/lib/gateway/rate-limits/admit"],
    ["lib/gateway/rate-limits/admit.ts", "@/lib/gateway/calls/complete"],
    ["lib/gateway/calls/complete.ts", "@/lib/gateway/routes/chat"],
    ["lib/gateway/tasks/task-worker.ts", "../calls/complete"],
    ["lib/gateway/routes/chat.ts", "@/lib/gateway/gateway"],
    ["lib/gateway/routes/chat.ts", "../main/create-stores"],
    ["lib/gateway/gateway.ts", "./main"],
    ["lib/console/gateway/gateway-client.ts", "@/lib/gateway/http/read-json"],
    ["lib/console/gateway/gateway-client.ts", "@/app/layout"],
    ["lib/console/gateway/gateway-client.ts", "@/components/ui/button"],
    ["lib/console/gateway/gateway-client.ts", "bun:sqlite"],
    ["app/(console)/roles/page.tsx", "@/lib/gateway/roles/save-role"],
    ["app/(console)/roles/page.tsx", "../../../lib/gateway/roles/save-role"],
    ["app/(console)/roles/page.tsx", "@/lib/dev/start"],
    ["components/ui/button.tsx", "@/lib/console/sign-in/session"],
    ["components/ui/button.tsx", "@/app/(console)/roles/actions"],
    ["components/ui/button.tsx", "@/components/queries/reads/use-read"],
    ["components/ui/button.tsx", "kysely/migration"],
    ["e2e/browser/stories/story.spec.ts", "@/app/layout"],
    ["app/(console)/prompts/page.tsx", "../playground/playground"],
    ["app/(console)/balance/page.tsx", "../payments/payment-screen"],
    ["app/(auth)/invite/page.tsx", "@/app/(console)/members/member-list"],
    ["components/playground/panes/pane.ts", "@/components/prompts/run-cells"],
    ["components/queries/reads/use-read.ts", "@/components/filters/use-options"],
    ["lib/console/gateway/send-request.ts", "../actions/action"],
    ["lib/console/actions/action.ts", "../reads/answer-read"],
    ["lib/console/reads/answer-read.ts", "../actions/action"],
    ["lib/console/streaming/streaming-action.ts", "../actions/action"],
    ["lib/gateway/http/server/http-server.ts", "./testing/recording-server"],
    ["lib/gateway/main/create-stores.ts", "@/lib/gateway/database/testing/open-temporary-database"],
  ];
  test.each(refusedImports)("%s → %s", (file, specifier) => {
    expect(findImportFaults(file, from(specifier))).toHaveLength(1);
  });
});

describe("an import along the arrows passes", () => {
  const allowedImports: [file: string, ...specifiers: string[]][] = [
    ["lib/contract/ids.ts", "zod/mini", "./schema"],
    ["lib/gateway/ledger/place-hold.ts", "@/lib/money/amount", "@/lib/contract/ids", "./funds", "kysely"],
    ["lib/gateway/ledger/place-hold.ts", "../changes/change", "../database/schema", "../roles/actor"],
    ["lib/gateway/routes/chat.ts", "@/lib/gateway/calls/complete", "../http/read-json"],
    ["lib/gateway/database/schema.ts", "../ledger/money-schema", "../tasks/task-schema"],
    ["lib/gateway/main.ts", "./database/open-sqlite", "./gateway", "@/lib/secret/load-secret"],
    ["lib/gateway/ledger/place-hold.test.ts", "@/lib/gateway/calls/complete", "bun:test"],
    ["lib/console/sign-in/session.ts", "@/lib/secret/load-secret", "node:crypto", "next/headers"],
    [
      "app/(console)/roles/page.tsx",
      "@/components/ui/button",
      "@/lib/console/sign-in/session",
      "./role-form",
    ],
    [
      "components/prompts/use-run.ts",
      "@/components/playground/actions",
      "@/components/queries/streams/start-stream",
    ],
    ["components/shell/navigation/navigation.ts", "@/lib/console/paths"],
    ["components/ui/fields/field.tsx", "@/components/ui/button", "@/lib/contract/ids", "@heroui/react"],
    ["lib/console/reads/answer-read.ts", "../gateway/report-unexpected", "../origin", "../sign-in/session"],
    ["lib/gateway/http/server/streams.test.ts", "./testing/recording-server"],
    ["lib/gateway/database/testing/open-temporary-database.ts", "../../simulation/simulated-runtime"],
    ["lib/gateway/simulation/simulation.ts", "../database/testing/open-temporary-database"],
    ["e2e/support/programs/start-gatehouse.ts", "@/lib/dev/start", "@playwright/test"],
  ];
  test.each(allowedImports)("%s", (file, ...specifiers) => {
    expect(findImportFaults(file, from(...specifiers))).toEqual([]);
  });
});

test("a file in a folder without a zone is a fault", () => {
  expect(findImportFaults("lib/gateway/anything/x.ts", "")[0]).toContain("is in no zone");
});

test("every way to write an import is seen", () => {
  const source = [
    'import a from "a";',
    'import type { B } from "b";',
    'import { type C, d } from "c";',
    'import {\n  e,\n  f,\n} from "d";',
    'import "e";',
    'export { g } from "f";',
    'export * from "g";',
    'export type { H } from "h";',
    'const i = await import("i");',
    'type J = import("j").J;',
    'const k = require("k");',
    'export const l = "not-an-import";',
    "console.log(\"import x from 'neither'\", a, d, e, f, i, k);",
  ].join("\n");
  expect(findImports("a.ts", source).toSorted()).toEqual([..."abcdefghijk"]);
});

const LATE = "@/components/ui/text/late";

test("a shared file that one screen alone uses is found, also below a folder and by a dynamic import", () => {
  const sources = [
    { path: "components/money/one.ts", source: "" },
    { path: "components/money/two.ts", source: "" },
    { path: "components/money/inner.ts", source: "" },
    { path: "components/money/outer.ts", source: 'import { inner } from "./inner";' },
    { path: "components/ui/text/late.tsx", source: "" },
    { path: "components/money/one.test.ts", source: 'import { one } from "./one";' },
    {
      path: "app/(console)/usage/list/row.tsx",
      source:
        'import { one } from "@/components/money/one";\nimport type { Two } from "@/components/money/two";\n',
    },
    {
      path: "app/(console)/usage/page.tsx",
      source: `import { outer } from "@/components/money/outer";\nconst late = lazy(() => import("${LATE}"));\n`,
    },
    {
      path: "app/(console)/tasks/page.tsx",
      source:
        'import { two } from "@/components/money/two";\nimport { outer } from "@/components/money/outer";\n',
    },
  ];
  expect(findFilesOfOneScreen(sources)).toEqual({
    "components/money/one.ts": "app/(console)/usage",
    "components/ui/text/late.tsx": "app/(console)/usage",
  });
});

test("what a single screen uses is beside that screen, not in components", async () => {
  const paths = (await listFiles()).filter((path) => /^(?:app|components|lib)\/.*\.tsx?$/.test(path));
  const sources = await Promise.all(
    paths.map(async (path) => ({ path, source: await Bun.file(path).text() })),
  );
  expect(findFilesOfOneScreen(sources)).toEqual({});
});
