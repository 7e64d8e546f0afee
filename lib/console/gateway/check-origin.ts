import "server-only";
import { headers } from "next/headers";
import { environment } from "../environment";
import { isOwnOrigin, readRequestOrigin } from "../origin";
import { createProblem, type Problem } from "./problem";

const foreignRequest = createProblem(
  "refused",
  "This request did not come from a page of this console. Behind a proxy, set CONSOLE_URL to the address people open.",
);

/** The problem of a request from another site; null for one from a page of the console. */
export async function checkOrigin(): Promise<Problem | null> {
  const origin = readRequestOrigin(await headers());
  return isOwnOrigin(origin, environment().consoleOrigin) ? null : foreignRequest;
}
