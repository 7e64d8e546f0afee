import { expect, test } from "bun:test";
import { findBrowserCalls } from "@/lib/dev/checks/check-browser-modules";

const PAGE = "app/(console)/tasks/page.tsx";
const READS = "app/(console)/tasks/task-reads.ts";
const SCREEN = "app/(console)/tasks/task-screen.tsx";
const screen = `"use client";
export const DEFAULT_RANGE = "7d";
  export type Range = string;
export function seesOwnTasks() {}
export function TaskScreen() {}`;

const find = (files: Record<string, string>) =>
  findBrowserCalls(new Map(Object.entries({ [SCREEN]: screen, ...files })));

test.each([
  ["a function", "seesOwnTasks"],
  ["a constant", "DEFAULT_RANGE"],
])("a page takes no %s from a module of the browser", (_, name) => {
  const page = `import { ${name}, TaskScreen } from "./task-screen";\nexport default () => <TaskScreen a={${name}} />;`;
  expect(find({ [PAGE]: page })).toEqual([
    `${PAGE} runs on the server and takes ${name} from ${SCREEN}, of the browser`,
  ]);
});

test("what a page imports runs on the server too", () => {
  const page = `import { reads } from "./task-reads";\nexport default () => reads;`;
  const reads = `import { seesOwnTasks } from "./task-screen";\nexport const reads = seesOwnTasks();`;
  expect(find({ [PAGE]: page, [READS]: reads })).toHaveLength(1);
});

test("components and types may be taken, and the browser takes what it likes", () => {
  const page = `import { type Range, TaskScreen } from "./task-screen";\nexport default (range: Range) => <TaskScreen />;`;
  const list = `"use client";\nimport { seesOwnTasks } from "./task-screen";\nexport const isOwn = seesOwnTasks();`;
  expect(find({ [PAGE]: page, "app/(console)/tasks/task-list.tsx": list })).toEqual([]);
});
