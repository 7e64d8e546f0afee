import { DEVICE_HEADER } from "@/lib/contract/access/device-token";
import type { RequestHeaders } from "../../request-headers";
import type { Visitor } from "../../sign-in/visitor";

export function readVisitor({
  headers,
  address,
}: {
  headers: RequestHeaders;
  address: string | null;
}): Visitor {
  const deviceToken = headers.get(DEVICE_HEADER) || null;
  return { address, userAgent: headers.get("user-agent"), deviceToken };
}
