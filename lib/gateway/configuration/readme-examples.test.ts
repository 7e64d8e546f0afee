import { expect, test } from "bun:test";
import { readConfiguration } from "./read-configuration";

const readme = await Bun.file("README.md").text();
const section = readme.slice(readme.indexOf("### Configuration file"), readme.indexOf("## Spend alerts"));
const examples = [...section.matchAll(/```yaml\n([^]*?)```/g)].map(([, yaml = ""]) => yaml);

test("the README has an example of a whole file and one of a task API", () => {
  expect(examples.map((yaml) => yaml.includes("task_api:"))).toEqual([false, true]);
});

test.each(examples)("each example of the README is read without a fault: %#", (yaml) => {
  const names = [...yaml.matchAll(/\$\{(\w+)\}/g)].map(([, name = ""]) => [name, "secret"]);
  const builtIn = { provider: "sandbox", models: [] };
  expect(readConfiguration(yaml, Object.fromEntries(names), builtIn)).toHaveProperty("configuration");
});
