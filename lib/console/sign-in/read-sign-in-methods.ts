import "server-only";
import { operations } from "@/lib/contract/operation-table";
import type { SignInMethods } from "@/lib/contract/operations/sign-in";
import { anonymousConnection } from "../gateway/gateway-client";
import type { GatewayReply } from "../gateway/problem";
import { sendRequest } from "../gateway/send-request";

const PATIENCE_MS = 3_000;

/** The gateway's sign-in methods; `unsupported` if it accepts keys only. */
export async function readSignInMethods(): Promise<GatewayReply<SignInMethods>> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  return sendRequest(await anonymousConnection(), operations.retrieveSignInMethods, { signal });
}
