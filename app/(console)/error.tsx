"use client";

import { ScreenError } from "../screen-error";

/** Inside the shell, which stays: one can go elsewhere. */
export default ScreenError;
