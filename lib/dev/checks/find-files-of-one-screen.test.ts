import { expect, test } from "bun:test";
import { findFilesOfOneScreen } from "@/lib/dev/checks/find-files-of-one-screen";
import { listFiles } from "@/lib/dev/list-files";

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
