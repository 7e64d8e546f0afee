"use client";

import { setOrganizationLook } from "../ui/organization-look";
import type { ShellData } from "./shell-data";

/** Sets how dates and numbers are shown, before what is below it in the page is rendered. Renders nothing. */
export function ShownLook({ look }: Pick<ShellData, "look">) {
  setOrganizationLook(look);
  return null;
}
