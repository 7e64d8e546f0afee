import { resolve } from "node:path";
import { LaunchFault } from "@/lib/dev/launch/program";

export type LaunchSettings = {
  host: string;
  consolePort: number;
  gatewayPort: number;
  /** A gateway elsewhere, without a trailing slash or `/v1`; none is started here then. */
  gatewayUrl: string | null;
  /** The address that people open, behind a proxy, without a trailing slash; null for the console's own. */
  consoleUrl: string | null;
  /** Absolute. */
  dataFolder: string;
};

/**
 * The launcher's own settings from the environment; the gateway reads the rest.
 * @throws LaunchFault with a line for every wrong value.
 */
export function readLaunchSettings(env: Record<string, string | undefined>): LaunchSettings {
  const faults: string[] = [];
  const settings = {
    host: env.HOST || "127.0.0.1",
    consolePort: readPort("PORT", env.PORT, 3000, faults),
    gatewayPort: readPort("GATEWAY_PORT", env.GATEWAY_PORT, 8080, faults),
    gatewayUrl: readUrl(env.GATEWAY_URL, faults),
    consoleUrl: env.CONSOLE_URL?.replace(/\/+$/, "") || null,
    dataFolder: resolve(env.GATEHOUSE_DATA || ".gatehouse"),
  };
  if (!settings.gatewayUrl && settings.consolePort === settings.gatewayPort) {
    faults.push(`PORT and GATEWAY_PORT are both ${settings.gatewayPort}: give them different numbers.`);
  }
  if (faults.length > 0) throw new LaunchFault(faults);
  return settings;
}

function readPort(name: string, text: string | undefined, fallback: number, faults: string[]): number {
  if (!text) return fallback;
  if (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535) return Number(text);
  faults.push(`${name} is "${text}": set it to a port number from 1 to 65535.`);
  return fallback;
}

function readUrl(text: string | undefined, faults: string[]): string | null {
  if (!text) return null;
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text.replace(/\/+$/, "").replace(/\/v1$/, "");
  faults.push(`GATEWAY_URL is "${text}": set it to an address such as https://gateway.example.com.`);
  return null;
}
