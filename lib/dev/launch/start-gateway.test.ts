import { expect, test } from "bun:test";
import { join } from "node:path";
import { gatewayRuntime } from "@/lib/dev/launch/start-gateway";

test("npm run gateway starts the gateway with the same settings as npm start", async () => {
  const { scripts } = await Bun.file(join(import.meta.dir, "../../../package.json")).json();
  const variables = (scripts.gateway as string).match(/\b[A-Z]+_\w+=\S+/g) ?? [];
  expect(variables.toSorted()).toEqual(
    Object.entries(gatewayRuntime)
      .map(([name, value]) => `${name}=${value}`)
      .toSorted(),
  );
});
