import "server-only";
import { headers } from "next/headers";
import { environment } from "./environment";
import { isReachedByHttps } from "./is-reached-by-https";

/** Whether people reach the console over https with the present request. */
export async function isHttps(): Promise<boolean> {
  return isReachedByHttps(await headers(), environment().consoleOrigin);
}
