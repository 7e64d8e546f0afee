import * as z from "zod/mini";
import { modelDraft } from "@/lib/contract/operations/models/models";
import { toModelDraft } from "./new-model";

/** Validates the form's values as the request they are converted to. */
export const newModelSchema = z.pipe(z.transform(toModelDraft), modelDraft);
