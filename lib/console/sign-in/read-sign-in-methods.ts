import "server-only";
import { operations } from "@/lib/contract/operation-table";
import type { SignInMethods } from "@/lib/contract/operations/sign-in/sign-in";
import { anonymousConnection } from "../gateway/gateway-client";
import { SHORT_TIMEOUT_MS } from "../gateway/gateway-request";
import type { GatewayReply } from "../gateway/problem";
import { sendRequest } from "../gateway/send-request";

/** The gateway's sign-in methods; `unsupported` if it accepts keys only. */
export async function readSignInMethods(): Promise<GatewayReply<SignInMethods>> {
  const timeoutMs = SHORT_TIMEOUT_MS;
  return sendRequest(await anonymousConnection(), operations.retrieveSignInMethods, { timeoutMs });
}
