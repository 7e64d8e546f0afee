import { expect, test } from "bun:test";
import { formatAmount } from "@/lib/money/amount";
import { readSettings } from "./environment";

test("an empty environment gives the contract's defaults", () => {
  const result = readSettings({});
  if (!("settings" in result)) throw new Error(result.faults.join());
  expect(result.settings).toMatchObject({ host: "127.0.0.1", port: 8080, adminKey: null, configFile: null });
  expect(formatAmount(result.settings.openingBalance)).toBe("10.00");
});

test("all faults are listed together, each with its correction", () => {
  const result = readSettings({
    GATEWAY_PORT: "80800",
    GATEHOUSE_ADMIN_KEY: "gk_admin_short",
    GATEHOUSE_OPENING_BALANCE: "-1",
    GATEHOUSE_CALLBACK_HOSTS: "alerts.internal, http://elsewhere",
    GATEHOUSE_ALERT_URL: "http://elsewhere/alerts?token=secret",
    GATEHOUSE_DRAIN_SECONDS: "10s",
    DATABASE_URL: "mysql://localhost",
  });
  expect(result).toEqual({
    faults: [
      expect.stringContaining("GATEWAY_PORT"),
      expect.stringContaining("GATEHOUSE_ADMIN_KEY"),
      expect.stringContaining("GATEHOUSE_OPENING_BALANCE"),
      expect.stringContaining('GATEHOUSE_CALLBACK_HOSTS has "http://elsewhere"'),
      "GATEHOUSE_ALERT_URL is not https: make it so, or name elsewhere in GATEHOUSE_CALLBACK_HOSTS.",
      'GATEHOUSE_DRAIN_SECONDS is "10s": set it to a whole number of seconds from 0 to 3600.',
      expect.stringContaining("DATABASE_URL"),
    ],
  });
});

test("half a mail server or half a provider is a fault, not a sign-in that quietly lacks it", () => {
  const findFaults = (environment: Record<string, string>) => {
    const result = readSettings(environment);
    return "faults" in result ? result.faults : [];
  };
  expect(findFaults({ GATEHOUSE_OIDC_ISSUER: "https://login.test" })).toEqual([
    expect.stringContaining("all three"),
  ]);
  const client = { GATEHOUSE_OIDC_CLIENT_ID: "gatehouse", GATEHOUSE_OIDC_CLIENT_SECRET: "secret" };
  expect(findFaults({ ...client, GATEHOUSE_OIDC_ISSUER: "login.test" })).toEqual([
    expect.stringContaining("GATEHOUSE_OIDC_ISSUER"),
  ]);
  expect(findFaults({ GATEHOUSE_SMTP_URL: "mail.test" })).toEqual([
    expect.stringContaining("GATEHOUSE_SMTP_URL"),
  ]);
  expect(findFaults({ GATEHOUSE_SMTP_URL: "smtp://mail.test" })).toEqual([
    expect.stringContaining("GATEHOUSE_MAIL_FROM"),
  ]);
  expect(findFaults({ CONSOLE_URL: "console.test" })).toEqual([expect.stringContaining("CONSOLE_URL")]);
  expect(findFaults({ ...client, GATEHOUSE_OIDC_ISSUER: "https://login.test" })).toEqual([]);
});

test("alerts may use http to a named host, however it is spelled", () => {
  const result = readSettings({
    GATEHOUSE_CALLBACK_HOSTS: " 10.0.0.7 , Alerts.internal,",
    GATEHOUSE_ALERT_URL: "http://alerts.internal:9000/gatehouse",
  });
  if (!("settings" in result)) throw new Error(result.faults.join());
  const url = new URL("http://alerts.internal:9000/gatehouse");
  expect(result.settings.alertTarget).toEqual({ url, isTrusted: true });
});

test("metrics and traces are off unless they are named, and half a setting is a fault", () => {
  const readTelemetry = (environment: Record<string, string>) => {
    const result = readSettings(environment);
    return "faults" in result ? result.faults : result.settings.telemetry;
  };
  expect(readTelemetry({})).toEqual({ metricsToken: null, tracesUrl: null });
  expect(readTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" })).toMatchObject({
    tracesUrl: "http://collector:4318/v1/traces",
  });
  const endpoints = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.test/in",
    OTEL_EXPORTER_OTLP_ENDPOINT: "x",
  };
  expect(readTelemetry(endpoints)).toMatchObject({ tracesUrl: "https://traces.test/in" });
  expect(readTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" })).toEqual([
    expect.stringContaining("OTEL_EXPORTER_OTLP_ENDPOINT"),
  ]);
  expect(readTelemetry({ GATEHOUSE_METRICS_TOKEN: "short" })).toEqual([
    expect.stringContaining("GATEHOUSE_METRICS_TOKEN"),
  ]);
});
