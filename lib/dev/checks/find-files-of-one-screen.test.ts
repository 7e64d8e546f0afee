import { expect, test } from "bun:test";
import { findFilesOfOneScreen } from "@/lib/dev/checks/find-files-of-one-screen";
import { listFiles } from "@/lib/dev/list-files";

const LATE = "@/components/text/late";

test("a shared file that one screen alone uses is found, also below a folder and by a dynamic import", () => {
  const sources = [
    { path: "app/ledger/one.ts", source: "" },
    { path: "app/ledger/two.ts", source: "" },
    { path: "app/ledger/inner.ts", source: "" },
    { path: "app/ledger/outer.ts", source: 'import { inner } from "./inner";' },
    { path: "components/text/late.tsx", source: "" },
    { path: "app/ledger/one.test.ts", source: 'import { one } from "./one";' },
    {
      path: "app/(console)/usage/list/row.tsx",
      source: 'import { one } from "@/app/ledger/one";\nimport type { Two } from "@/app/ledger/two";\n',
    },
    {
      path: "app/(console)/usage/page.tsx",
      source: `import { outer } from "@/app/ledger/outer";\nconst late = lazy(() => import("${LATE}"));\n`,
    },
    {
      path: "app/(console)/tasks/page.tsx",
      source: 'import { two } from "@/app/ledger/two";\nimport { outer } from "@/app/ledger/outer";\n',
    },
  ];
  expect(findFilesOfOneScreen(sources)).toEqual({
    "app/ledger/one.ts": "app/(console)/usage",
    "components/text/late.tsx": "app/(console)/usage",
  });
});

test("what a single screen uses is beside that screen, not in a room or in components", async () => {
  const paths = (await listFiles()).filter((path) => /^(?:app|components|lib)\/.*\.tsx?$/.test(path));
  const sources = await Promise.all(
    paths.map(async (path) => ({ path, source: await Bun.file(path).text() })),
  );
  expect(findFilesOfOneScreen(sources)).toEqual({});
});
