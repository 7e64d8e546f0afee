import "server-only";
import { headers } from "next/headers";
import { environment } from "./environment";

/** Whether people open the console over https, as far as a proxy or the configuration tells. */
export async function isHttps(): Promise<boolean> {
  const forwarded = (await headers()).get("x-forwarded-proto")?.split(",")[0]?.trim();
  return forwarded === "https" || environment().consoleOrigin?.startsWith("https:") === true;
}
