import { expect, test } from "bun:test";
import { readConfiguration } from "./read-configuration";

const builtIn = { providers: [], models: [] } as never;

test.each([
  ["providers: []\n---\nmodels: []\n", "line 2: a second document begins"],
  [
    "providers: []\nmodels: !env MODELS\n",
    "line 2: Unresolved tag: !env: for a value from the environment, write ${NAME}",
  ],
  ["models: &all\n  - *all\n", "*all stands within what it names, &all: remove it"],
  ["models:\n  - &one\n    id: m\n    routes:\n      - { deeper: [*one] }\n", "*one stands within"],
  ["models: &m { <<: *m }\n", "*m stands within"],
  [
    `a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\n${[..."bcdefgh"]
      .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[index]}`).join(", ")}]`)
      .join("\n")}\n`,
    "Excessive alias count",
  ],
])("YAML that would be left out, or taken as it stands, is refused: %j", (yaml, start) => {
  const result = readConfiguration(yaml, {}, builtIn);
  expect("faults" in result && result.faults[0]).toStartWith(start);
});
