import { expect, test } from "bun:test";
import { readLaunchSettings } from "@/lib/dev/launch/launch-settings";
import { LaunchFault } from "@/lib/dev/launch/program";

test("without variables both listen only on this machine", () => {
  expect(readLaunchSettings({})).toEqual({
    host: "127.0.0.1",
    consolePort: 3000,
    gatewayPort: 8080,
    gatewayUrl: null,
    consoleUrl: null,
    dataFolder: `${process.cwd()}/.gatehouse`,
  });
});

test("the address of a gateway elsewhere may be written with /v1 and a slash", () => {
  const { gatewayUrl } = readLaunchSettings({ GATEWAY_URL: "https://gate.example.com/v1/" });
  expect(gatewayUrl).toBe("https://gate.example.com");
});

test("links lead to the address that people open", () => {
  const { consoleUrl } = readLaunchSettings({ CONSOLE_URL: "https://console.example.com/" });
  expect(consoleUrl).toBe("https://console.example.com");
});

test("every wrong value is named in one refusal", () => {
  try {
    readLaunchSettings({ PORT: "80a", GATEWAY_PORT: "65536", GATEWAY_URL: "gate.example.com" });
    throw new Error("it was accepted");
  } catch (fault) {
    expect(fault).toBeInstanceOf(LaunchFault);
    expect((fault as LaunchFault).lines.map((line) => line.split(" ")[0])).toEqual([
      "PORT",
      "GATEWAY_PORT",
      "GATEWAY_URL",
    ]);
  }
});

test("two programs cannot share a port, unless only one is started", () => {
  expect(() => readLaunchSettings({ PORT: "8080" })).toThrow("both 8080");
  expect(readLaunchSettings({ PORT: "8080", GATEWAY_URL: "http://gate:8080" }).consolePort).toBe(8080);
});
