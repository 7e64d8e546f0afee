"use server";

import * as z from "zod/mini";
import { action } from "@/lib/console/actions/action";
import { callLoosely } from "@/lib/console/gateway/gateway-client";
import { revertEvent } from "./revert-event";

const revertInput = z.strictObject({ id: z.string() });

export const revert = action(revertInput, ({ id }) => revertEvent(callLoosely, id));
