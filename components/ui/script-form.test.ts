import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";

test("each form that a script handles is a ScriptForm, or has an action that works without a script", () => {
  const files = ["app", "components"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  );
  const faults = files.filter(
    (file) =>
      file.endsWith(".tsx") &&
      [...readFileSync(file, "utf8").matchAll(/<form\b[^]*?>\n/g)].some(
        ([tag]) => tag.includes("onSubmit") && !tag.includes("action="),
      ),
  );
  expect(faults).toEqual([]);
});
