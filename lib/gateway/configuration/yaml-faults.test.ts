import { expect, test } from "bun:test";
import { readConfiguration } from "./read-configuration";

const builtIn = { providers: [], models: [] } as never;

test.each([
  ["providers: []\n---\nmodels: []\n", "line 2: a second document begins"],
  [
    "providers: []\nmodels: !env MODELS\n",
    "line 2: Unresolved tag: !env: for a value from the environment, write ${NAME}",
  ],
])("YAML that would be left out, or taken as it stands, is refused: %j", (yaml, start) => {
  const result = readConfiguration(yaml, {}, builtIn);
  expect("faults" in result && result.faults[0]).toStartWith(start);
});
