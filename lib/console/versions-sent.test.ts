import { expect, test } from "bun:test";
import { findRetrieveOperation, type OperationId, operations } from "@/lib/contract/operation-table";

/** Objects that are deleted without a version, with the reason. */
const unversionedOperations: Readonly<Record<string, string>> = {
  deleteInvite: "nothing of an invitation is edited, and an accepted one is refused in words of its own",
  deleteConversation: "it is one's own, and nothing of it is lost to anybody else",
  removeGroupUser: "nothing of being in a group is edited",
};

/** Every call of an operation in the console's sources, up to its closing bracket. */
const calls: { file: string; id: OperationId; text: string }[] = [];
for (const folder of ["app", "lib/console", "components"]) {
  for await (const file of new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scan({
    cwd: `${import.meta.dir}/../..`,
  })) {
    const source = await Bun.file(`${import.meta.dir}/../../${file}`).text();
    for (const { 1: id = "", index } of source.matchAll(/callGateway\(\s*"(\w+)"/g)) {
      calls.push({ file, id: id as OperationId, text: untilClosed(source.slice(index)) });
    }
  }
}

function untilClosed(text: string): string {
  let depth = 0;
  for (const [index, sign] of [...text].entries()) {
    if (sign === "(") depth++;
    if (sign === ")" && --depth === 0) return text.slice(0, index + 1);
  }
  return text;
}

const saves = calls.filter(({ id }) => findRetrieveOperation(operations[id]) !== undefined);

test("the console's saves and deletes were found", () => {
  expect(saves.map(({ id }) => id)).toEqual(
    expect.arrayContaining(["changeRole", "deleteRole", "changeUser", "saveRateLimit", "deleteProvider"]),
  );
});

test.each(saves)("$file sends the version that was seen with $id", ({ id, text }) => {
  const sends = /headers: ifMatch\(\w+\)/.test(text);
  expect([id, sends || id in unversionedOperations]).toEqual([id, true]);
});

test("no exception is for an operation that the console does not call, or that sends a version after all", () => {
  const versionless = saves.filter(({ text }) => !text.includes("ifMatch(")).map(({ id }) => id);
  expect(versionless.toSorted() as string[]).toEqual(Object.keys(unversionedOperations).toSorted());
});
