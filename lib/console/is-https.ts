import "server-only";
import { headers } from "next/headers";
import { environment } from "./environment";

/** Whether users reach the console over https, by the proxy's headers or the configuration. */
export async function isHttps(): Promise<boolean> {
  const forwardedProtocol = (await headers()).get("x-forwarded-proto")?.split(",")[0]?.trim();
  return forwardedProtocol === "https" || environment().consoleOrigin?.startsWith("https:") === true;
}
