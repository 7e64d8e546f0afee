"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { callLoosely } from "@/lib/console/gateway/gateway-client";
import { revertEvent } from "./revert/revert-event";

const revertInput = z.strictObject({ id: z.string() });

export const revert = defineAction(revertInput, ({ id }) => revertEvent(callLoosely, id));
