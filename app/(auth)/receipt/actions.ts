"use server";

import * as z from "zod/mini";
import { definePublicAction } from "@/lib/console/actions/define-action";
import { anonymousConnection } from "@/lib/console/gateway/gateway-client";
import { sendRequest } from "@/lib/console/gateway/send-request";
import { operations } from "@/lib/contract/operation-table";
import { secretText } from "@/lib/contract/schema";

/** Returns the receipt that a link's token shows. Works without a session. */
export const readSharedReceipt = definePublicAction(z.strictObject({ token: secretText }), async (body) =>
  sendRequest(await anonymousConnection(), operations.retrieveSharedReceipt, { body }),
);
