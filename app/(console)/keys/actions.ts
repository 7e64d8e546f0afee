"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { secretText } from "@/lib/contract/schema";

/** The key is sent only in a request body, since addresses are logged. */
export const findKey = defineAction(z.strictObject({ value: secretText }), (body) =>
  callGateway("findApiKey", { body }),
);
