"use client";

import { ScreenError } from "../screen-error";

/** Rendered inside the shell, so that the person can navigate elsewhere. */
export default ScreenError;
