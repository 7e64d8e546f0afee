import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { parse } from "yaml";
import { gatewayRuntime } from "@/lib/dev/launch/start-gateway";
import { readSettings } from "@/lib/gateway/main/settings/environment";

const read = (path: string) => Bun.file(join(import.meta.dir, path)).text();

interface Service {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: object;
}

/** The paths of the project that a line such as `COPY --from=build /app/lib lib` takes. */
const copied = (lines: readonly string[]) =>
  lines.flatMap((line) =>
    line
      .replace(/^COPY (?:--from=build )?/, "")
      .split(" ")
      .slice(0, -1),
  );

test("what the image copies is there, and holds all that its commands import", async () => {
  const [, last = ""] = (await read("Containerfile")).split(/^FROM .*$/m).slice(1);
  const paths = copied(last.match(/^COPY .*$/gm) ?? []).map((path) => path.replace("/app/", ""));
  // Packages and the build are made while the image is built.
  const missing = paths.filter((path) => !["node_modules", ".next"].includes(path) && !existsSync(path));
  expect(missing).toEqual([]);
  const run = last.match(/(?:lib\/\S+\.(?:ts|mjs))(?=")/g) ?? [];
  expect(run.length).toBeGreaterThan(1);
  expect(run.filter((path) => !existsSync(path))).toEqual([]);
});

test("the image sets what the gateway's process reads at its start", async () => {
  const file = await read("Containerfile");
  for (const [name, value] of Object.entries(gatewayRuntime)) expect(file).toContain(`${name}=${value}`);
});

test("the services of the compose file start what package.json starts, with settings that are accepted", async () => {
  const { services, configs, volumes } = parse(await read("compose.yaml"), { merge: true }) as {
    services: Readonly<Record<string, Service>>;
    configs: object;
    volumes: object;
  };
  expect(await read("../../package.json")).toContain("bun lib/gateway/main.ts");
  expect(services.gateway?.command?.at(-1)).toBe("lib/gateway/main.ts");
  for (const { depends_on = {} } of Object.values(services))
    expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(depends_on)));
  expect([Object.keys(configs), Object.keys(volumes)]).toEqual([
    ["gatehouse", "proxy"],
    ["postgres", "files"],
  ]);
  const filled = Object.entries(services.gateway?.environment ?? {}).map(([name, value]) => [
    name,
    value.replaceAll(/\$\{\w+(?::-(.*?))?(?::\?[^}]*)?\}/g, (_, usual = "secret") => usual),
  ]);
  expect(readSettings(Object.fromEntries(filled))).not.toHaveProperty("faults");
});

test("the chart's templates use values that there are, and each value is used", async () => {
  const values = parse(await read("helm/values.yaml")) as Record<string, unknown>;
  const schema = JSON.parse(await read("helm/values.schema.json")) as { properties: object };
  expect(Object.keys(values).filter((name) => !(name in schema.properties))).toEqual([]);
  const templates = await Promise.all([...new Glob("helm/templates/*").scanSync(import.meta.dir)].map(read));
  const text = templates.join("\n");
  const used = new Set([...text.matchAll(/\.Values\.(\w+)/g)].map(([, name]) => name));
  expect([...used].toSorted()).toEqual(Object.keys(values).toSorted());
});
