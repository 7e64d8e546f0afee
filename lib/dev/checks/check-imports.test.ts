import { describe, expect, test } from "bun:test";
import { findImportFaults } from "@/lib/dev/checks/check-imports";
import { findImports } from "@/lib/dev/checks/find-imports";

const from = (...specifiers: string[]) =>
  specifiers.map((name, at) => `import { x as x${at} } from "${name}";`).join("\n");

describe("an import against the arrows is refused", () => {
  const refusedImports: [file: string, specifier: string][] = [
    ["lib/money/amount.ts", "zod"],
    ["lib/money/amount.ts", "@/lib/contract/ids"],
    ["lib/contract/ids.ts", "@/lib/money/amount"],
    ["lib/contract/ids.ts", "node:crypto"],
    ["lib/gateway/balance/place-hold.ts", "@/lib/gateway/rate-limits/admit"],
    ["lib/gateway/balance/place-hold.ts", "../rate-limits/admit"],
    ["lib/gateway/balance/place-hold.ts", "@/lib/gateway/http/read-json"],
    ["lib/gateway/access/find-caller.ts", "@/lib/gateway/admission/admit"],
    ["lib/gateway/admission/admit.ts", "@/lib/gateway/completions/complete"],
    ["lib/gateway/calls/complete.ts", "@/lib/gateway/routes/chat"],
    ["lib/gateway/routes/chat.ts", "@/lib/gateway/store/open-store"],
    ["lib/gateway/routes/chat.ts", "@/lib/gateway/gateway"],
    ["lib/gateway/gateway.ts", "./main"],
    ["lib/gateway/gateway.ts", "./store/open-store"],
    ["lib/console/gateway/gateway-client.ts", "@/lib/gateway/http/read-json"],
    ["lib/console/gateway/gateway-client.ts", "@/app/layout"],
    ["lib/console/gateway/gateway-client.ts", "bun:sqlite"],
    ["app/(console)/roles/page.tsx", "@/lib/gateway/roles/save-role"],
    ["app/(console)/roles/page.tsx", "../../../lib/gateway/roles/save-role"],
    ["app/(console)/roles/page.tsx", "@/lib/dev/start"],
    ["components/ui/button.tsx", "@/lib/console/sign-in/session"],
    ["components/ui/button.tsx", "@/app/(console)/roles/actions"],
    ["components/ui/button.tsx", "kysely/migration"],
    ["e2e/browser/stories/story.spec.ts", "@/app/layout"],
    ["app/(console)/prompts/page.tsx", "../playground/playground"],
    ["app/(console)/balance/page.tsx", "../payments/payment-screen"],
    ["app/(console)/payments/page.tsx", "../balance/ledger"],
    ["app/(auth)/invite/page.tsx", "@/app/(console)/members/member-list"],
    ["components/playground/panes/pane.ts", "@/app/prompt-runs/run-cells"],
    ["components/queries/reads/use-read.ts", "@/app/filters/use-options"],
    ["components/queries/reads/use-read.ts", "../actions/use-action"],
    ["lib/gateway/routes/people/users.ts", "../keys/admin-api-keys"],
    ["lib/gateway/routes/projects/project-users.ts", "../people/users"],
    ["lib/gateway/ledger/reconciliation.ts", "../payments/record-payment"],
    ["lib/console/gateway/send-request.ts", "../actions/action"],
    ["lib/console/actions/action.ts", "../reads/answer-read"],
    ["lib/console/reads/answer-read.ts", "../actions/action"],
    ["lib/console/streaming/streaming-action.ts", "../actions/action"],
    ["lib/gateway/http/server/http-server.ts", "./testing/recording-server"],
    ["lib/gateway/main/create-stores.ts", "@/lib/gateway/store/testing/open-temporary-database"],
  ];
  test.each(refusedImports)("%s → %s", (file, specifier) => {
    expect(findImportFaults(file, from(specifier))).toHaveLength(1);
  });
});

describe("an import along the arrows passes", () => {
  const allowedImports: [file: string, ...specifiers: string[]][] = [
    ["lib/contract/ids.ts", "zod/mini", "./schema"],
    ["lib/gateway/balance/place-hold.ts", "@/lib/money/amount", "@/lib/contract/ids", "./funds", "kysely"],
    ["lib/gateway/routes/chat.ts", "@/lib/gateway/completions/complete", "../http/read-json"],
    ["lib/gateway/store/open-store.ts", "@/lib/gateway/balance/ledger"],
    ["lib/gateway/main.ts", "./store/open-store", "./gateway", "@/lib/secret/load-secret"],
    ["lib/gateway/balance/place-hold.test.ts", "@/lib/gateway/store/open-store", "bun:test"],
    ["lib/gateway/gateway.test.ts", "@/lib/gateway/store/open-store", "@/lib/gateway/gateway"],
    ["lib/console/sign-in/session.ts", "@/lib/secret/load-secret", "node:crypto", "next/headers"],
    [
      "app/(console)/roles/page.tsx",
      "@/components/ui/button",
      "@/lib/console/sign-in/session",
      "./role-form",
    ],
    [
      "app/(console)/balance/use-duplicate-question.ts",
      "@/app/ledger/actions",
      "./use-entry",
      "@/app/queries/reads/use-read",
    ],
    ["components/prompts/use-run.ts", "@/app/workbench/actions", "@/app/streams/start-stream"],
    ["components/shell/navigation/navigation.ts", "@/lib/console/paths"],
    ["components/ui/fields/field.tsx", "@/components/ui/button", "@/lib/contract/ids", "@heroui/react"],
    [
      "lib/gateway/routes/projects/project-users.ts",
      "../people/roles",
      "../handler",
      "../../roles/find-role",
    ],
    ["lib/gateway/ledger/payments/record-payment.ts", "../funds", "./pending-payment"],
    ["lib/console/reads/answer-read.ts", "../gateway/report-unexpected", "../origin", "../sign-in/session"],
    ["lib/gateway/http/server/streams.test.ts", "./testing/recording-server"],
    ["lib/gateway/database/testing/open-temporary-database.ts", "../../simulation/simulated-effects"],
    ["lib/gateway/simulation/simulation.ts", "../store/testing/open-temporary-database"],
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
