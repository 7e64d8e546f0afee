import { expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EnvironmentError, parseEnvironment } from "./environment";

const GATEHOUSE_SECRET = Buffer.alloc(32, 7).toString("base64");
const readVariables = (more: Record<string, string> = {}) => parseEnvironment({ GATEHOUSE_SECRET, ...more });

test("without a word the console talks to the gateway started beside it", () => {
  expect(readVariables().gateway).toEqual({
    url: "http://127.0.0.1:8080",
    baseUrl: "http://127.0.0.1:8080/v1",
    isEmbedded: true,
  });
  expect(readVariables({ GATEWAY_PORT: "9000" }).gateway.url).toBe("http://127.0.0.1:9000");
  expect(readVariables({ HOST: "0.0.0.0" }).gateway.url).toBe("http://127.0.0.1:8080");
  expect(readVariables({ HOST: "10.1.2.3" }).gateway.url).toBe("http://10.1.2.3:8080");
  expect(readVariables({ HOST: "::1" }).gateway.url).toBe("http://[::1]:8080");
});

test.each([
  "https://gateway.example/team",
  "https://gateway.example/team/",
  "https://gateway.example/team/v1",
  "https://gateway.example/team/v1/",
])("GATEWAY_URL may be written %s", (GATEWAY_URL) => {
  expect(readVariables({ GATEWAY_URL }).gateway).toEqual({
    url: "https://gateway.example/team",
    baseUrl: "https://gateway.example/team/v1",
    isEmbedded: false,
  });
});

test("the secret is the configured one, or the data folder's", () => {
  expect(readVariables().secret).toEqual(Buffer.alloc(32, 7));
  const GATEHOUSE_DATA = mkdtempSync(join(tmpdir(), "console-"));
  const first = parseEnvironment({ GATEHOUSE_DATA }).secret;
  expect(parseEnvironment({ GATEHOUSE_DATA }).secret).toEqual(first);
});

test("all faults are reported together, each with its correction", () => {
  const file = join(mkdtempSync(join(tmpdir(), "console-")), "file");
  writeFileSync(file, "");
  const wrong = {
    GATEWAY_URL: "gateway.example",
    CONSOLE_URL: "http://me:secret@console.example",
    GATEHOUSE_DATA: file,
  };
  try {
    parseEnvironment(wrong);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(EnvironmentError);
    const { faults, message } = error as EnvironmentError;
    expect(faults).toHaveLength(3);
    for (const name of ["GATEWAY_URL", "CONSOLE_URL", "GATEHOUSE_SECRET"]) expect(message).toContain(name);
    expect(message).not.toContain("me:secret");
  }
});

test.each(["0", "65536", "x", "-1"])("a port of %s is refused", (GATEWAY_PORT) =>
  expect(() => readVariables({ GATEWAY_PORT })).toThrow("GATEWAY_PORT"),
);
