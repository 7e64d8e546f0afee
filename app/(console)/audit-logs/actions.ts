"use server";

import * as z from "zod/mini";
import { action } from "@/lib/console/actions/action";
import { revertEvent } from "./revert-event";

const reverting = z.strictObject({ id: z.string() });

export const revert = action(reverting, ({ id }) => revertEvent(id));
