import { afterEach, expect, test } from "bun:test";
import { NextRequest } from "next/server";
import { proxy } from "@/proxy";

const configured = process.env.CONSOLE_URL;
afterEach(() => {
  if (configured === undefined) delete process.env.CONSOLE_URL;
  else process.env.CONSOLE_URL = configured;
});

function readTransportSecurity(consoleUrl: string | undefined, forwarded?: string): string | null {
  if (consoleUrl === undefined) delete process.env.CONSOLE_URL;
  else process.env.CONSOLE_URL = consoleUrl;
  const headers = new Headers(forwarded === undefined ? [] : [["x-forwarded-proto", forwarded]]);
  return proxy(new NextRequest("http://127.0.0.1:3000/", { headers })).headers.get(
    "strict-transport-security",
  );
}

test("browsers are told to stay with https if the proxy or the configured address says https", () => {
  expect(readTransportSecurity(undefined, "https")).toContain("max-age");
  expect(readTransportSecurity(undefined, "https, http")).toContain("max-age");
  expect(readTransportSecurity("https://console.example.com")).toContain("max-age");
  expect(readTransportSecurity("https://console.example.com", "http")).toContain("max-age");
});

test("a console over plain http doesn't ask for https", () => {
  expect(readTransportSecurity(undefined)).toBeNull();
  expect(readTransportSecurity("http://console.example.com", "http")).toBeNull();
});
