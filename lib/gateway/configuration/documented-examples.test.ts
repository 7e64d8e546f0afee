import { expect, test } from "bun:test";
import { readConfiguration } from "./read-configuration";

const pages = ["README.md", "app/guide/configuration.md", "app/guide/providers.md"];
const texts = await Promise.all(pages.map((page) => Bun.file(page).text()));
const examples = pages.map((page, index) => [
  page,
  /```yaml\n([^]*?)```/.exec(texts[index] ?? "")?.[1] ?? "",
]);

test.each(examples)("the configuration file in %s is read without a fault", (_page, yaml = "") => {
  expect(yaml).toContain("providers:");
  const names = [...yaml.matchAll(/\$\{(\w+)\}/g)].map(([, name = ""]) => [name, "secret"]);
  const builtIn = { provider: "sandbox", models: [] };
  expect(readConfiguration(yaml, Object.fromEntries(names), builtIn)).toHaveProperty("configuration");
});
